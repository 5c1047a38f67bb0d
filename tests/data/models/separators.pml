/* Statements at the ends of lines need no separator. */
byte x
active proctype P()
{
  x = 1
  x++
  if
  :: x > 1 -> x = 0
  :: else
  fi
  do
  :: x < 2 -> x++
  :: else -> break
  od
  atomic { x = 5; x++ }
  { x = 7 } ;;
  x = 8 -> x = 9 ;
}
