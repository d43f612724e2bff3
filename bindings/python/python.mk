# python.mk - builds the package for Python: `make python`, which calls this with srcdir and library, the archive to link.
# The package appears as python/pixverlet in the build directory. Needs python3 with its headers, and setuptools.
# SPDX-License-Identifier: Zlib

PYTHON = /usr/bin/python3
here = $(srcdir)/bindings/python
out = python
export PYTHONPATH = $(abspath $(out))
export PYTHONDONTWRITEBYTECODE = 1

all: $(out)/built
.PHONY: all check bench
written = $(wildcard $(here)/src/*.[ch] $(here)/pixverlet/* $(here)/tools/*) $(here)/setup.py $(here)/pyproject.toml
$(out)/built: $(written) $(library) $(here)/python.mk
	@mkdir -p $(out)
	@echo "  PYTHON   pixverlet"
	@cd $(here) && PIXVERLET_LIBRARY='$(abspath $(library))' PIXVERLET_LIBS='$(LIBS)' PIXVERLET_OUT='$(abspath $(out))/build' CFLAGS='$(CFLAGS)' \
	  $(PYTHON) setup.py -q build --build-base '$(abspath $(out))/build' --build-lib '$(abspath $(out))' egg_info --egg-base '$(abspath $(out))'
	@touch $@
