#!/usr/bin/env bash
# Files, pipes, descriptors, streams and signal masks (outside_files.c): where two processes meet at a file in no order, a strategy that goes by
# events does not say complete; where an execution looks at what another one has left, none does; places in files and masks are
# each process's, or go back. With the static library and the shared one.
# builds: release
# takes: 7
# shellcheck source=tests/integration/tools.bash
source "$EO_SRC/tests/integration/tools.bash"

build_both "$EO_SRC/tests/integration/outside_files.c"

for program in with_archive with_library; do
  for test in $("./$program" list | sed -n 's/^\([a-z_]*\) .*/\1/p'); do
    rm -f there told grows marker
    case $test in
      ok_*)
        for strategy in dfs dpor ses; do run 0 "./$program" --test "$test" --strategy $strategy --tickets none; done
        ;;
      meets_*)
        run 3 "./$program" --test "$test" --strategy dpor --tickets none
        says out 'except orders of accesses to memory or files that processes may share'
        for strategy in dfs auto; do run 1 "./$program" --test "$test" --strategy $strategy --tickets none; done
        ;;
      unknown_*)
        for strategy in dfs dpor ses; do
          "./$program" --test "$test" --strategy $strategy --tickets none >out 2>err
          case $? in 1 | 3) ;; *) problem "$program $test under $strategy: $(head -n 1 out)" ;; esac
        done
        ;;
      left_*)
        for strategy in dfs dpor; do
          run 3 "./$program" --test "$test" --strategy $strategy --tickets none
          says out 'processes read files or pipes that an earlier execution may have changed'
          rm -f grows marker
        done
        ;;
      gone_*)
        run 1 "./$program" --test "$test" --strategy dfs --tickets none
        says out 'out of bounds: '
        ;;
    esac
  done
done
all_well
