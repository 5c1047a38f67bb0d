#!/usr/bin/env bash
# Completion in bash, zsh and fish: each shell is asked as a user would press the key, and each option that a subcommand's help
# lists is known.
set -euo pipefail
cd "$EO_SRC"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH=$EO_BUILD:$PATH
mkdir "$scratch/folder"
touch "$scratch/file.txt" "$scratch/plugin.so"

fail() {
  echo "completion: $*"
  exit 1
}

in_bash() { # WORD...: what could stand for the last word
  bash -c '. completion/everyorder.bash; cd "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _everyorder
    printf "%s\n" "${COMPREPLY[@]}" | sed "/^$/d"' "$scratch" everyorder "$@" 2>/dev/null
}
in_fish() {
  (cd "$scratch" && HOME=$scratch fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
    "$EO_SRC/completion/everyorder.fish" "everyorder $*" | cut -f 1)
}
in_zsh() { # in a terminal of its own, since zsh completes nowhere else
  zsh -f -c 'zmodload zsh/zpty; cd $1; zpty shell zsh -f -i
    zpty -w shell "PS1=; fpath=($2 \$fpath); autoload -Uz compinit; compinit -u -D; bindkey \"^X\" complete-word; echo rea\"\"dy"
    zpty -r shell seen "*ready*"
    zpty -n -w shell "$3"$'"'\\C-x'"'"; echo \"<\${:-done}>\""$'"'\\n'"'
    zpty -r shell seen "*<done>*"; print -r -- $seen' zsh "$scratch" "$EO_SRC/completion" "everyorder $*" 2>/dev/null
}

for shell in bash fish; do
  ask=in_$shell
  expect() { # EXPECTED WORD...
    local expected=$1 got
    shift
    got=$("$ask" "$@" | LC_ALL=C sort | tr '\n' ' ')
    [ "$got" = "$expected" ] || fail "$shell: \`everyorder $*\`: got '$got' instead of '$expected'"
  }
  expect 'strategies ' st
  expect 'idle ' test x --timeouts i
  expect 'dfs dpor ' test x --strategy d
  expect 'look_then_take ' test "$EO_BUILD/examples/demo" --test lo
  expect 'mailbox ' test x --delivery m
  expect 'file.txt ' test fi
  expect 'pause ' cluster p
  expect '' there_is_no_such_command x
  [[ $("$ask" serve '') == folder* ]] || fail "$shell: serve takes a folder"
  expect 'plugin.so prr ' test x --explorer p
done

seen=$(in_zsh test x --strateg)
[[ $seen == *'--strategy'* ]] || fail "zsh: $seen"
seen=$(in_zsh test x --timeouts i)
[[ $seen == *'--timeouts idle'* ]] || fail "zsh: $seen"

for subcommand in $(everyorder complete '' | cut -d ' ' -f 1); do
  in_bash "$subcommand" -- >"$scratch/completed"
  for option in $(everyorder "$subcommand" --help | sed -nE 's/^  (--[a-z-]+).*/\1/p'); do
    grep -qx -- "$option" "$scratch/completed" || fail "\`everyorder $subcommand\` does not know $option"
  done
done
