#!/usr/bin/env bash
# alone: configures the build folder for another prefix, which others must not see half done
#
# `make install` into a scratch folder, programs in C and C++ against what was installed, shared and static, and
# `make uninstall`, which must leave nothing.
set -euo pipefail
cd "$EO_SRC"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "install: $*"
  exit 1
}

files_in() {
  find "$1" ! -type d -printf '%P\n' | sort
}

# A staged installation has the files at DESTDIR/PREFIX, and PREFIX alone in everyorder.pc.
make -s install PREFIX=/opt/everyorder DESTDIR="$scratch/stage"
staged=$scratch/stage/opt/everyorder
grep -qx 'prefix=/opt/everyorder' "$staged/lib/pkgconfig/everyorder.pc" || fail 'wrong prefix in everyorder.pc'
make -s uninstall PREFIX=/opt/everyorder DESTDIR="$scratch/stage"
left=$(files_in "$scratch/stage")
[ -z "$left" ] || fail "left behind after uninstall: $left"

prefix=$scratch/prefix
make -s install PREFIX="$prefix"
files_in "$prefix"

for file in bin/everyorder lib/libeveryorder.a lib/libeveryorder.so include/everyorder/everyorder.h \
  lib/pkgconfig/everyorder.pc lib/cmake/everyorder/everyorderConfig.cmake share/bash-completion/completions/everyorder \
  share/zsh/site-functions/_everyorder share/fish/vendor_completions.d/everyorder.fish; do
  [ -e "$prefix/$file" ] || fail "$file was not installed"
done
for page in man/*.[1-9]; do
  [ -f "$page" ] || continue
  [ -f "$prefix/share/man/man${page##*.}/${page#man/}" ] || fail "$page was not installed"
done
soname=$(objdump -p "$prefix/lib/libeveryorder.so" | sed -n 's/^ *SONAME *//p')
[ -e "$prefix/lib/$soname" ] || fail "there is no $soname"

# The shared library shows what the header declares, and of our own names nothing else.
nm -D --defined-only "$prefix/lib/libeveryorder.so" | awk '{ print $3 }' | grep '^eo_' | sort >"$scratch/shown"
scripts/export-map include/everyorder/*.h | sed -n 's/^ *\(eo_.*[^*]\);$/\1/p' | sort >"$scratch/declared"
diff "$scratch/declared" "$scratch/shown" || fail 'exported names differ from those that everyorder.h declares'

cat >"$scratch/ping.c" <<'PROGRAM'
#include <everyorder.h>

static void answer(void *argument) {
  eo_pid to = *(eo_pid *)argument;
  eo_send(to, 1, NULL, 0);
}

EO_TEST(ping) {
  eo_pid self = eo_self();
  eo_message message;
  eo_spawn(answer, &self, sizeof self);
  eo_receive_tag(&message, 1, EO_FOREVER);
  eo_assert(message.size == 0, "an answer of %zu bytes", message.size);
}
PROGRAM
cp "$scratch/ping.c" "$scratch/ping.cc"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags everyorder)"
read -ra shared <<<"$(pkg-config --libs everyorder)"
# Both libraries lie in one folder, so a static link has to name the file.
read -ra static <<<"$(pkg-config --static --libs everyorder | sed 's/-leveryorder/-l:libeveryorder.a/')"
warnings=(-Wall -Wextra -Werror -g)

gcc -std=c17 "${warnings[@]}" "${flags[@]}" "$scratch/ping.c" -o "$scratch/c-shared" "${shared[@]}"
gcc -std=c17 "${warnings[@]}" "${flags[@]}" "$scratch/ping.c" -o "$scratch/c-static" "${static[@]}"
g++ -std=c++11 "${warnings[@]}" "${flags[@]}" "$scratch/ping.cc" -o "$scratch/cc-shared" "${shared[@]}"
g++ -std=c++17 "${warnings[@]}" "${flags[@]}" "$scratch/ping.cc" -o "$scratch/cc-static" "${static[@]}"

if ldd "$scratch/c-static" | grep libeveryorder; then fail 'the static link uses the shared library'; fi
# The loader does not look through this prefix: the flags of everyorder.pc tell each program where the library is.
ldd "$scratch/c-shared" | grep libeveryorder || fail 'the shared link does not use the shared library'

for program in c-shared c-static cc-shared cc-static; do
  echo "== $program by itself"
  "$scratch/$program"
  echo "== $program through the installed command"
  "$prefix/bin/everyorder" test "$scratch/$program"
done

# Hidden sharing is seen in a small program with few globals, however it is linked.
cat >"$scratch/sharing.c" <<'PROGRAM'
#include <everyorder.h>

static int hidden;

static void change(void *argument) {
  (void)argument;
  hidden = 1;
  eo_sleep(1);
}

EO_TEST(sharing) {
  eo_spawn(change, NULL, 0);
  eo_sleep(1);
  eo_assert(hidden < 2, "it is %d", hidden);
}
PROGRAM
gcc "${warnings[@]}" "${flags[@]}" "$scratch/sharing.c" -o "$scratch/sharing-shared" "${shared[@]}"
gcc "${warnings[@]}" "${flags[@]}" "$scratch/sharing.c" -o "$scratch/sharing-static" "${static[@]}"
for program in sharing-shared sharing-static; do
  "$scratch/$program" --tickets none >"$scratch/out" && fail "$program: hidden sharing was not seen"
  grep -q '^hidden sharing: hidden: P1.1 changes it and P1 reads it' "$scratch/out" || fail "$program: $(cat "$scratch/out")"
done

# A program with a main of its own is not one that the command can run.
printf '#include <everyorder.h>\nEO_TEST(t) {}\nint main(void) { return 0; }\n' >"$scratch/own.c"
gcc "${warnings[@]}" "${flags[@]}" "$scratch/own.c" -o "$scratch/own" "${shared[@]}"
if "$prefix/bin/everyorder" test "$scratch/own" 2>"$scratch/out"; then fail 'a program with its own main was taken'; fi
grep -q 'without a main of its own' "$scratch/out" || fail "own main: $(cat "$scratch/out")"

# CMake finds it by its package file, in a version that fits.
cat >"$scratch/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.13)
project(ping C)
find_package(everyorder 0.1 REQUIRED)
foreach(library everyorder static)
  add_executable(${library} ping.c)
  target_link_libraries(${library} everyorder::${library})
endforeach()
PROJECT
cmake -S "$scratch" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Debug >/dev/null
cmake --build "$scratch/cmake" >/dev/null
for program in everyorder static; do "$prefix/bin/everyorder" test "$scratch/cmake/$program"; done
if ldd "$scratch/cmake/static" | grep libeveryorder; then fail 'everyorder::static uses the shared library'; fi
sed -i 's/everyorder 0.1 REQUIRED/everyorder 9.0 REQUIRED/' "$scratch/CMakeLists.txt"
if cmake -S "$scratch" -B "$scratch/cmake" >"$scratch/out" 2>&1; then fail 'CMake took a version that does not fit'; fi
grep -q 'compatible with requested version "9.0"' "$scratch/out" || fail "CMake: $(cat "$scratch/out")"

# The Debian packages build and have all of it.
python3 - "$EO_BUILD" debian <<'END' || fail 'the Debian packages leave something out'
import fnmatch, json, pathlib, subprocess, sys
build, debian = sys.argv[1], pathlib.Path(sys.argv[2])
def ask(what): return json.loads(subprocess.run(['meson', 'introspect', what, build], capture_output=True, check=True).stdout)
prefix = next(option['value'] for option in ask('--buildoptions') if option['name'] == 'prefix')
patterns = [line for file in debian.glob('*.install') for line in file.read_text().split()]
rules = next(line for line in (debian / 'rules').read_text().split('\n') if 'dh_auto_build --' in line).split()
missing = []
for target in ask('--targets'):
    for name in (pathlib.Path(name).name for name in target['filename'] if target['installed']):
        if name not in rules: missing.append(f'debian/rules does not build {name}')
for path in ask('--installed').values():
    path = path.replace(prefix, 'usr', 1)
    places = [path, path.replace('usr/lib/', 'usr/lib/any/', 1), path.replace('site-functions', 'vendor-completions')]
    if not any(fnmatch.fnmatch(place, pattern) or fnmatch.fnmatch(place, pattern + '/*') for place in places for pattern in patterns):
        missing.append(f'no package has {path}')
print('\n'.join(missing), end='')
sys.exit(bool(missing))
END

make -s uninstall PREFIX="$prefix"
left=$(files_in "$prefix")
[ -z "$left" ] || fail "left behind after uninstall: $left"
