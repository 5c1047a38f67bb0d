# The commands of the project; meson and ninja do the building, behind scripts/build.
#
#   PREFIX   where `make install` puts things (default /usr/local)
#   DESTDIR  staging folder in front of PREFIX, for packagers
#   ARGS     further arguments for `make check`, `make test` (name patterns, -j N), `make hunt` (patterns) and `make bench`
#   MINUTES  how long `make hunt` goes on (default 30)

PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
MINUTES ?= 30

# So that the last line of `make -C everyorder test` is the one with the numbers.
MAKEFLAGS += --no-print-directory

.PHONY: all setup demo check test hunt deb deb-check bench bench-models bench-table1 install uninstall format clean help
all:
	@scripts/setup --check build
	@scripts/build release

setup:
	@scripts/setup build test

demo:
	@scripts/setup build
	@scripts/build release
	@scripts/demo

# For the edit loop: what most mistakes are found by, in a minute or two.
check:
	@scripts/setup --check build test
	@tests/run -q $(ARGS)

test:
	@scripts/setup build test
	@tests/run $(ARGS)

# Random programs that nobody has looked at yet.
hunt:
	@scripts/setup --check build test
	@tests/hunt -m $(MINUTES) $(ARGS)

# The bugs of examples/protocols by every strategy; takes hours.
bench-table1: all
	@bench/table1 $(ARGS)

# States a second of models beside spin's pan.
bench-models: all
	@bench/models.sh $(ARGS)
	@bench/verdict.sh $(ARGS)
	@bench/tables.sh

bench: all
	@if [ -x bench/run ]; then bench/run $(ARGS); else \
	  for program in build/bench/*; do if [ -f "$$program" ] && [ -x "$$program" ]; then "$$program" || exit; fi; done; fi

# Debian packages in build/deb; deb-check tries them in a fresh system.
deb:
	@scripts/setup build deb
	@scripts/make-deb

deb-check: deb
	@tests/deb

install: all
	@scripts/install "$(PREFIX)" "$(DESTDIR)"

uninstall: all
	@scripts/install --undo "$(PREFIX)" "$(DESTDIR)"

format:
	@scripts/check-format --fix

clean:
	@rm -rf build

help:
	@echo 'make             build/everyorder, the library, and the examples as build/examples/NAME'
	@echo 'make demo        explore a small server with a bug, and replay the interleaving that fails'
	@echo 'make check       for the edit loop: build, unit tests, layers, some goldens; 90 seconds'
	@echo 'make test        every check and test; make test ARGS="unit/ -j 4" for some of them'
	@echo 'make hunt        new random programs for half an hour; MINUTES=5, ARGS=test_dpor'
	@echo 'make bench       measure; prints ratios, never passes or fails'
	@echo 'make bench-models  models beside spin'
	@echo 'make bench-table1  39 bugs by every strategy (an hour)'
	@echo 'make install     to PREFIX (default /usr/local), under DESTDIR if that is set'
	@echo 'make uninstall   take the same files away again'
	@echo 'make deb         Debian packages in build/deb; make deb-check tries them in a fresh system'
	@echo 'make setup       install the Debian packages that building and testing need'
	@echo 'make format      run clang-format over the sources'
	@echo 'make clean       remove build/'
