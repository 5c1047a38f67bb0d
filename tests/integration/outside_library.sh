#!/usr/bin/env bash
# What the C library keeps for all processes together (outside_library.c): used by two that no message orders, it is hidden sharing that
# names the function and the remedy; one after the other, or by one process alone, it is fine.
# builds: release
# timeout: 200
# shellcheck source=tests/integration/tools.bash
source "$EO_SRC/tests/integration/tools.bash"

export TZ=UTC0
source=$EO_SRC/tests/integration/outside_library.c
build_both "$source"

for program in with_archive with_library; do
  for strategy in dfs dpor ses; do
    for test in $(sed -nE 's/^EO_TEST\((ok_[a-z_]*)\).*/\1/p' "$source"); do
      run 0 "./$program" --test "$test" --strategy $strategy --tickets none
    done
    for test in $(sed -nE 's/^EO_TEST\((part_[a-z_]*)\).*/\1/p' "$source"); do
      run 3 "./$program" --test "$test" --strategy $strategy --tickets none
    done
    while read -r test text; do
      run 1 "./$program" --test "$test" --strategy $strategy --tickets none
      grep -q "^hidden sharing: $text" out || problem "$program $test under $strategy: $(head -n 1 out)"
      grep -Eq ' it in .* at .*outside_library.c:' out || problem "$program $test under $strategy: no line"
    done <<'TABLE'
strtok_by_two the place in its text that strtok keeps: .*; use strtok_r
localtime_by_two the buffer that localtime and gmtime return: .*; use localtime_r
asctime_by_two the buffer that asctime and ctime return:
getopt_by_two the place in the arguments that getopt keeps
environment_of_another the environment:
folder_of_another the working folder:
handlers_of_another the table of signal handlers:
umask_by_two the umask:
option_of_another opterr:
variable_of_another plain:
user_by_two the result of getpwnam, getgrnam and similar functions: .*; use getpwnam_r
table_by_two the table of hsearch:
digits_by_two the buffer that ecvt, fcvt and l64a return:
letter_by_two the state that mbtowc and wctomb keep:
zone_of_another the environment:
TABLE
  done
done
all_well
