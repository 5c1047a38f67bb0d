/* A process that has ended stays until those younger than it have. */
byte x;
proctype Short() { x++ }
proctype Long() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od; (x > 0) }
init { run Short(); run Long(); run Short(); (_nr_pr <= 2); x = 10 }
