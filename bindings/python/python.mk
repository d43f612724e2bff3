# python.mk - builds the package for Python: `make python`, which calls this with srcdir, library, the archive to link, and sources.
# The package appears as python/pixverlet in the build directory. Needs python3 with its headers, and setuptools.
# SPDX-License-Identifier: Zlib

PYTHON = /usr/bin/python3
here = $(srcdir)/bindings/python
out = python
export PYTHONPATH = $(abspath $(out))
export PYTHONDONTWRITEBYTECODE = 1

all: $(out)/built
.PHONY: all check
QUIET = >'$(abspath $(out))/setup.log' 2>&1 || { cat '$(abspath $(out))/setup.log'; exit 1; }
written = $(wildcard $(here)/src/*.[ch] $(here)/pixverlet/* $(here)/tools/*) $(here)/setup.py $(here)/pyproject.toml \
  $(wildcard $(srcdir)/lib/pixverlet/*.h)
$(out)/built: $(written) $(library) $(here)/python.mk
	@mkdir -p $(out)
	@echo "  PYTHON   pixverlet"
	@cd $(here) && PIXVERLET_LIBRARY='$(abspath $(library))' PIXVERLET_LIBS='$(LIBS)' PIXVERLET_OUT='$(abspath $(out))/build' CFLAGS='$(CFLAGS)' \
	  $(PYTHON) setup.py -q build --force --build-base '$(abspath $(out))/build' --build-lib '$(abspath $(out))' egg_info --egg-base '$(abspath $(out))' $(QUIET)
	@touch $@

# ---- Tests: `make python-check`. With a sanitizer, `make python-fuzz` plays random calls FUZZ_SECONDS long.

FUZZ_SECONDS = 15
tests = $(sort $(wildcard $(here)/tests/test_*.py))
run = env SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy PYGAME_HIDE_SUPPORT_PROMPT=1 PIXVERLET_BUILD='$(abspath .)' PIXVERLET_LIBS='$(LIBS)' $(PYTHON)
check: $(tests:$(here)/tests/%.py=run_%)
	@cd $(here)/tests && $(limited) --name python/fuzz $(SUITE_LIMIT) $(run) fuzz.py 5

# Each file by itself, with a limit of its own.
run_%: all
	@cd $(here)/tests && $(limited) --name python/$* $(SUITE_LIMIT) $(run) -m unittest $(TEST_FLAGS) $*

# Everything once more with the sanitizer in it: the sources of the library become part of the extension.
asan = $(out)/asan
fuzz: $(asan)/built
	@cd $(here)/tests && PYTHONPATH='$(abspath $(asan))' PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	  LD_PRELOAD="`$(CC) -print-file-name=libasan.so` `$(CC) -print-file-name=libubsan.so`" $(run) fuzz.py $(FUZZ_SECONDS)
$(asan)/built: $(written) $(sources) $(here)/python.mk
	@mkdir -p $(asan)
	@echo "  PYTHON   pixverlet, with sanitizers"
	@cd $(here) && PIXVERLET_OUT='$(abspath $(asan))/build' CFLAGS='-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined' \
	  $(PYTHON) setup.py -q build --force --build-base '$(abspath $(asan))/build' --build-lib '$(abspath $(asan))' egg_info --egg-base '$(abspath $(asan))' $(QUIET)
	@touch $@
.PHONY: fuzz

# build/bench/python
bench/python: $(here)/python.mk
	@mkdir -p $(@D)
	@{ echo '#!/bin/sh'; echo 'PYTHONPATH="$(abspath $(out))" PIXVERLET_BUILD="$(abspath .)" exec $(PYTHON) "$(abspath $(here))/tools/bench.py" "$$@"'; } >$@
	@chmod +x $@
all: bench/python
