#!/usr/bin/env bash
# Memory that the program maps (outside_map.c), before the exploration or in a process: it is as at the start in each execution, and
# processes that share it are found; where that cannot be, as with memory that is shared with a file, the run is not complete once a
# process has written there. With the static library and the shared one.
# builds: release
# timeout: 200
# shellcheck source=tests/integration/tools.bash
source "$EO_SRC/tests/integration/tools.bash"

echo 'int counts(void) { static int count; return ++count; }' >counts.c
gcc -shared -fPIC -o libcounts.so counts.c || exit 1
build_both "$EO_SRC/tests/integration/outside_map.c"

for program in with_archive with_library; do
  for test in $("./$program" list | sed -n 's/^\([a-z_]*\) .*/\1/p'); do
    rm -f mapped
    for strategy in dfs dpor ses; do
      case $test in
        ok_*) run 0 "./$program" --test "$test" --strategy $strategy --tickets none ;;
        part_*)
          run 3 "./$program" --test "$test" --strategy $strategy --tickets none
          says out 'but memory of the program is not captured'
          ;;
        sharing_maps)
          run 1 "./$program" --test "$test" --strategy $strategy --tickets none
          says out 'hidden sharing: a block of 4096 bytes that P1 allocated'
          ;;
        sharing_*)
          run 1 "./$program" --test "$test" --strategy $strategy --tickets none
          says out 'hidden sharing: memory that was mapped before the exploration (mmap)'
          ;;
        outside_*)
          run 1 "./$program" --test "$test" --strategy $strategy --tickets none
          says out 'cannot be restored'
          ;;
      esac
    done
  done
done
all_well
