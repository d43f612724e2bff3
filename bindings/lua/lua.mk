# lua.mk - builds the module for LuaJIT and LÖVE: `make lua`, which calls this with srcdir, version and api_headers.
# lua/pixverlet.lua is the files of src/ and the generated one, joined; the shared library stands beside it. Needs luajit.
# SPDX-License-Identifier: Zlib

LUAJIT = luajit
here = $(srcdir)/bindings/lua
out = lua

headers = $(addprefix $(srcdir)/,$(filter-out %/paper.h,$(api_headers)))
parts = loader errors handles structs poses events methods sprite body world carve mover grains draw debug frames

all: $(out)/pixverlet.lua $(out)/libpixverlet.so $(out)/pixverlet.rockspec $(out)/dig.stamp bench/lua
.PHONY: all

$(out)/cdef: $(headers) $(srcdir)/tools/header.awk $(here)/tools/cdef.awk
	@mkdir -p $(@D)
	@cat $(headers) | LC_ALL=C awk -f $(srcdir)/tools/header.awk -f $(here)/tools/cdef.awk >$@.new && mv $@.new $@
$(out)/api.lua: $(out)/cdef $(here)/tools/bind.lua
	@$(LUAJIT) $(here)/tools/bind.lua $(out)/cdef $(version) >$@.new && mv $@.new $@

# A part is loaded when another one first requires it.
$(out)/pixverlet.lua: $(out)/api.lua $(parts:%=$(here)/src/%.lua) $(here)/src/init.lua $(srcdir)/LICENSE $(here)/lua.mk
	@echo "  GEN      $@"
	@{ echo '--[['; echo 'libpixverlet $(version) for LuaJIT and LÖVE; generated, see bindings/lua.'; echo; cat $(srcdir)/LICENSE; echo ']]'; \
	  for part in api $(parts); do \
	    echo "package.preload['pixverlet.$$part'] = function()"; \
	    if [ $$part = api ]; then cat $(out)/api.lua; else cat $(here)/src/$$part.lua; fi; echo end; \
	  done; cat $(here)/src/init.lua; } >$@.new && mv $@.new $@
$(out)/libpixverlet.so: .libs/libpixverlet.so
	@strip --strip-unneeded -o $@.new $< && mv $@.new $@
$(out)/pixverlet.rockspec: $(here)/pixverlet.rockspec.in
	@sed 's/@VERSION@/$(version)/' $< >$@.new && mv $@.new $@

# The game is a folder for LÖVE: `love lua/dig`.
dig = $(out)/dig
dig_sprites = coin crate ground hero rock_medium rock_small star
$(out)/dig.stamp: $(wildcard $(here)/examples/dig/*) $(out)/pixverlet.lua $(out)/libpixverlet.so $(dig_sprites:%=$(srcdir)/sprites/%.png)
	@rm -rf $(dig) && mkdir -p $(dig)/sprites
	@cp $(here)/examples/dig/*.lua $(out)/pixverlet.lua $(out)/libpixverlet.so $(dig)/
	@cp $(dig_sprites:%=$(srcdir)/sprites/%.png) $(dig)/sprites/
	@chmod -R u+w $(dig) && touch $@

# The picture of the game in docs/: one pixel for each of the world, 33 pictures a second.
gif: all
	@echo "  GIF      docs/lua.gif"
	@rm -rf $(out)/gif && mkdir -p $(out)/gif
	@XDG_DATA_HOME='$(abspath $(out))/gif' SDL_AUDIODRIVER=dummy xvfb-run -a -s '-screen 0 1280x800x24' \
	  love $(dig) --auto 350 470 >/dev/null
	@convert -delay 3 $(out)/gif/love/pixverlet-dig/dig-*.png -sample 50% +dither -colors 64 \
	  -layers optimize-transparency -loop 0 '$(srcdir)/docs/lua.gif'
	@rm -rf $(out)/gif
.PHONY: gif

bench/lua: $(here)/bench.lua $(out)/bench_peer.so
	@mkdir -p $(@D)
	@cp $< $@.new && chmod +x $@.new && mv $@.new $@
$(out)/bench_peer.so: $(here)/bench_peer.c $(out)/libpixverlet.so
	@echo "  CCLD     $@"
	@$(CC) -std=c11 -O2 -Wall -Wextra -shared -fPIC -D_POSIX_C_SOURCE=200809L -I$(srcdir)/lib -o $@ $< -L$(out) -lpixverlet

# Tests: `make lua-check`. The game is played under xvfb.
tests = $(sort $(wildcard $(here)/tests/test_*.lua))
check: $(tests:$(here)/tests/%.lua=run_%)

# Each file by itself, with a limit of its own. xvfb-run is not made to be started twice at once.
.NOTPARALLEL:
run_%: all
	@PIXVERLET_SOURCE='$(abspath $(srcdir))' PIXVERLET_BUILD='$(abspath .)' $(limited) --name lua/$* $(SUITE_LIMIT) \
	  $(LUAJIT) $(here)/tests/run.lua $*:
.PHONY: check

# In a build with --enable-sanitize: `make lua-sanitized`. Children of the tests would need the sanitizer as well.
sanitized: all
	@for part in surface world extras pixels misuse random; do \
	  PIXVERLET_SOURCE='$(abspath $(srcdir))' PIXVERLET_BUILD='$(abspath .)' ASAN_OPTIONS=detect_leaks=0 \
	    LD_PRELOAD="`$(CC) -print-file-name=libasan.so`" $(LUAJIT) $(here)/tests/run.lua test_$$part || exit 1; \
	done
.PHONY: sanitized
