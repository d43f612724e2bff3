# web.mk - builds the package for JavaScript: `make web`, which calls this with srcdir, version and core, the sources of the library.
# Everything goes into web/ of the build directory: web/pixverlet is ready for `npm pack`. Needs clang, lld, wasi-libc, libclang-rt-14-dev-wasm32,
# binaryen, nodejs and npm.
# SPDX-License-Identifier: Zlib

WASM_CC = clang
WASM_OPT = wasm-opt
NODE = node
here = $(srcdir)/bindings/web
out = web
package = $(out)/pixverlet

api = $(addprefix $(srcdir)/,$(api_headers))
sources = $(filter %.c,$(core))
objects = $(sources:%.c=$(out)/obj/%.o) $(out)/obj/bindings/web/glue.o $(out)/obj/bindings/web/platform.o
modules = $(wildcard $(here)/src/*.js)
scripts = $(wildcard $(here)/play/*.js)
generated = structs.js flags.js places.js mask_methods.js world_methods.js methods.d.ts

target = --target=wasm32-wasi -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext
# Bits are those of every other build; see configure.ac.
cflags = $(target) -std=gnu11 -ffp-contract=off -fno-math-errno -fvisibility=hidden -ffunction-sections -fdata-sections -D_POSIX_C_SOURCE=200809L \
	-DNDEBUG -DHAVE_CONFIG_H -DPIXVERLET_NO_THREADS -I$(out)/include -I$(srcdir)/lib $(STB_CFLAGS)
link = $(WASM_CC) --target=wasm32-wasi -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=262144
# binaryen makes a linked module smaller until nothing changes, and keeps its bits. lld places nothing below address 1024, so a sum of a
# pointer and an offset below that goes into the instruction. A long function that is called once stays one: that is 0.7 % smaller.
shrink = $(WASM_OPT) --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext -Os --low-memory-unused \
	--one-caller-inline-max-function-size=60 --converge -o $@ $@

# Folders that a step or a test of masks spends its time in are built for speed, all others for size.
# Loops that clang unrolls make the module 2 % larger and no faster.
fast = -O2 -fno-unroll-loops
small = -Oz
fast_folders = collide core grains joint matter pixel placed polygon shape solver
slow_files = lib/pixel/canvas.c lib/pixel/file.c lib/pixel/mask_draw.c lib/pixel/mask_encode.c lib/pixel/material_map.c lib/pixel/png.c \
	lib/pixel/png_write.c lib/joint/joint.c lib/joint/joint_create.c lib/matter/particle.c lib/polygon/polygon.c lib/grains/grains.c \
	lib/placed/group.c lib/placed/placed_query.c lib/polygon/polygon_sleep.c lib/core/events.c lib/core/tasks.c lib/grains/emit.c lib/shape/shape.c \
	lib/solver/squeeze.c lib/solver/island_group.c lib/shape/contour_update.c \
	lib/shape/contour.c lib/shape/contour_loop.c lib/shape/convex.c lib/matter/particle_inside.c lib/joint/direct_layout.c lib/collide/sensor.c lib/collide/presolve.c lib/collide/pair_limit.c \
	lib/collide/wake_near.c lib/solver/wake_reached.c lib/polygon/polygon_one_way.c lib/polygon/polygon_seam.c lib/polygon/polygon_pairs.c lib/polygon/polygon_presolve.c lib/solver/substeps.c lib/joint/direct_touch.c lib/collide/contact_points.c \
	lib/core/body_bitmap.c lib/joint/constraint.c lib/pixel/mask_ops.c lib/pixel/regions.c lib/polygon/polygon_overlap.c lib/polygon/polygon_events.c \
	lib/polygon/polygon_motion.c lib/core/contact_list.c lib/core/handle.c lib/core/filter.c lib/joint/direct_energy.c lib/grains/area.c lib/grains/movers.c lib/matter/surface.c lib/core/wake.c lib/collide/pixel_touch.c lib/solver/pixel_stop.c lib/collide/manifold.c lib/solver/solver_body.c lib/placed/sweep.c lib/matter/matter_contact.c lib/pixel/mask.c lib/polygon/polygon_disc.c lib/shape/distance_field.c \
	lib/placed/separation.c lib/grains/mover_hit.c lib/solver/integrate.c lib/grains/ground.c lib/grains/bodies.c lib/joint/direct_newton.c lib/collide/query_index.c lib/collide/body_overlap.c lib/shape/shape_blocks.c \
	lib/joint/direct_row.c lib/joint/direct.c lib/matter/particle_collide.c \
	lib/core/anchor.c lib/polygon/polygon_contact.c lib/grains/ring.c lib/grains/numbers.c lib/polygon/polygon_cast.c lib/matter/particle_stride.c lib/grains/pile.c lib/grains/settle.c lib/solver/contact_solver.c lib/solver/strips.c lib/joint/stick.c
fast_files = $(filter-out $(slow_files),$(filter $(fast_folders:%=lib/%/%),$(sources)))

all: package
.PHONY: all package
$(out)/include/config.h: $(here)/web.mk
	@mkdir -p $(@D)
	@echo '#define PACKAGE_VERSION "$(version)"' >$@

$(out)/obj/%.o: $(srcdir)/%.c $(out)/include/config.h $(here)/web.mk
	@mkdir -p $(@D)
	@echo "  WASM     $*.c"
	@$(WASM_CC) $(cflags) $(if $(filter $*.c,$(fast_files)),$(fast),$(small)) -MMD -MP -c -o $@ $<
-include $(objects:.o=.d)

# ---- What JavaScript needs of the headers

$(out)/statements: $(api) $(srcdir)/tools/header.awk
	@mkdir -p $(@D)
	@cat $(api) | LC_ALL=C awk -f $(srcdir)/tools/header.awk -f $(here)/tools/statements.awk >$@.new && mv $@.new $@
bind = $(here)/tools/bind.mjs $(here)/tools/header.mjs $(here)/tools/surface.mjs
binder = $(NODE) $(here)/tools/bind.mjs
$(out)/layout.wasm: $(out)/statements $(bind)
	@$(binder) layout $(out)/statements >$(out)/layout.c
	@$(WASM_CC) --target=wasm32-wasi -I$(srcdir)/lib -nostartfiles -Wl,--no-entry -Wl,--export=layout -o $@ $(out)/layout.c
$(out)/exports.play: $(modules) $(scripts)
$(out)/exports.%: $(out)/statements $(bind)
	@$(binder) exports $(out)/statements $* $(filter %.js,$^) >$@.new && mv $@.new $@
$(out)/generated: $(out)/layout.wasm
	@mkdir -p $(package)
	@$(binder) write $(out)/statements $(out)/layout.wasm $(package) $(api) && touch $@

# ---- Modules of WebAssembly

$(package)/pixverlet.wasm: $(objects) $(out)/exports.all
	@mkdir -p $(@D)
	@echo "  WASM     $(@F)"
	@$(link) @$(out)/exports.all -o $@ $(objects) && $(shrink)
$(package)/mask.wasm: $(objects) $(out)/exports.mask
	@mkdir -p $(@D)
	@echo "  WASM     $(@F)"
	@$(link) @$(out)/exports.mask -o $@ $(objects) && $(shrink)
# The playground has a module with what its scripts call.
$(out)/play.wasm: $(objects) $(out)/exports.play
	@echo "  WASM     $(@F)"
	@$(link) @$(out)/exports.play -o $@ $(objects) && $(shrink)
$(package)/module_base64.js: $(package)/pixverlet.wasm
	@{ printf '/* module_base64.js - the module as text. */\nexport const base64 = "'; base64 -w0 $<; printf '";\n'; } >$@.new && mv $@.new $@

# ---- The package

copied = $(notdir $(modules)) $(notdir $(wildcard $(here)/types/*.d.ts)) phaser.js pixi.js README.md
copied_here = $(foreach file,$(copied),$(wildcard $(here)/src/$(file) $(here)/types/$(file) $(here)/$(file)))
$(out)/copied: $(copied_here) $(here)/package.json.in $(srcdir)/LICENSE $(here)/web.mk
	@mkdir -p $(package)
	@cp $(copied_here) $(srcdir)/LICENSE $(package)/
	@chmod u+w $(package)/*
	@sed 's/@VERSION@/$(version)/' $(here)/package.json.in >$(package)/package.json
	@touch $@
package: $(package)/pixverlet.wasm $(package)/mask.wasm $(package)/module_base64.js $(out)/generated $(out)/copied $(out)/bench.mjs $(out)/package.json
$(out)/bench.mjs: $(here)/bench.mjs
$(out)/package.json: $(here)/tests/package.json
$(out)/bench.mjs $(out)/package.json:
	@mkdir -p $(@D)
	@cp $< $@.new && chmod u+w $@.new && mv $@.new $@

# The playground is static files, bundled with esbuild of npm. Its gallery plays the scenes of the demo.
play = $(out)/play
esbuild = $(out)/tools/node_modules/.package-lock.json
$(esbuild): $(here)/tools/package.json
	@mkdir -p $(out)/tools && cp $< $(out)/tools/package.json && chmod u+w $(out)/tools/package.json
	@cd $(out)/tools && npm install --silent --no-audit --no-fund && touch node_modules/.package-lock.json
scene_objects = $(patsubst %.c,$(out)/obj/%.o,$(filter %.c,$(scenes)) tests/scene_hashes.c bindings/web/gallery.c bindings/web/first_scene.c)
$(scene_objects): cflags += -I$(srcdir)/demo -D_XOPEN_SOURCE=700 -D_Thread_local= -DDATA_SRCDIR='"/source"' -DPKGDATADIR='"/none"'
-include $(scene_objects:.o=.d)
demo_objects = $(filter-out %/scene_hashes.o,$(scene_objects)) $(filter-out %/glue.o %/platform.o,$(objects))
# The first scene has a module of its own, which comes before the one with all of them.
$(out)/gallery.wasm: gallery_objects = $(filter-out %/first_scene.o,$(demo_objects))
$(out)/first.wasm: gallery_objects = $(filter-out %/scenes.o,$(demo_objects))
$(out)/gallery.wasm $(out)/first.wasm: $(demo_objects)
	@echo "  WASM     $(@F)"
	@$(link) -o $@ $(gallery_objects) && $(shrink)
package: $(out)/play.stamp
$(out)/play.stamp: $(wildcard $(here)/play/* $(here)/play/presets/*) $(here)/tools/pages.mjs $(out)/play.wasm $(out)/gallery.wasm $(out)/first.wasm $(out)/copied $(out)/generated $(esbuild)
	@rm -rf $(play) && mkdir -p $(play)/sprites $(play)/source
	@cp $(out)/gallery.wasm $(play)/ && cp -r $(here)/play/presets $(play)/
	@cp $(srcdir)/sprites/*.png $(srcdir)/sprites/level.json $(play)/sprites/ && cp $(srcdir)/demo/scenes/*.c $(play)/source/
	@$(NODE) $(here)/tools/pages.mjs $(play) $(package) $(srcdir)/sprites
	@chmod -R u+w $(play) && touch $@

# ---- The site: `make site`, a folder to publish as it is. Of the reference there is what `make doc` made.

.PHONY: site words
site: site.stamp
site.words: words
	@echo '$(version) $(SOURCE_URL) $(SITE_URL)' >$@.new; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
site.stamp: $(out)/play.stamp $(wildcard $(here)/site/* reference.stamp $(srcdir)/docs/*.gif) $(srcdir)/README.md $(here)/tools/site.mjs site.words
	@$(NODE) $(here)/tools/site.mjs site $(play) '$(version)' --reference '$(if $(wildcard reference.stamp),reference/html)' \
	  --source '$(SOURCE_URL)' --url '$(SITE_URL)'
	@touch $@

# ---- Tests: `make web-check`. The scenes of the demo run in WASI with the objects of the package, on the files of the source tree.

hash_objects = $(filter-out %/gallery.o %/first_scene.o,$(scene_objects)) $(filter-out %/glue.o %/platform.o,$(objects))
$(out)/scene_hashes.wasm: $(hash_objects)
	@echo "  WASM     $(@F)"
	@$(WASM_CC) --target=wasm32-wasi -Wl,--gc-sections -Wl,-z,stack-size=1048576 -o $@ $(hash_objects) && $(shrink)

# The files that a test names stand in the build directory, where npm puts the package and the compiler of types.
tests = $(sort $(wildcard $(here)/tests/*.test.mjs))
browser_tests = $(sort $(wildcard $(here)/tests/browser/*.test.mjs))
node_modules = $(out)/node_modules/.package-lock.json
$(node_modules): $(out)/package.json
	@cd $(out) && npm install --silent --no-audit --no-fund && touch node_modules/.package-lock.json
copied_tests: package $(node_modules)
	@rm -rf $(out)/tests $(out)/examples && cp -r $(here)/tests $(here)/examples $(out)/ && chmod -R u+w $(out)/tests $(out)/examples
check: $(tests:$(here)/tests/%.test.mjs=run_%)

# Pages in Chromium: `make web-browser-check`.
browser_check: $(browser_tests:$(here)/tests/browser/%.test.mjs=run_browser_%)

# Each file by itself, with a limit of its own.
run_tests = PIXVERLET_SOURCE='$(abspath $(srcdir))' PIXVERLET_BUILD='$(abspath .)' $(limited) --name web/$* $(SUITE_LIMIT) \
  $(NODE) --no-warnings --test $(TEST_FLAGS)
run_%: copied_tests $(out)/scene_hashes.wasm
	@$(run_tests) $(out)/tests/$*.test.mjs
run_site: site
run_browser_opening: site
run_browser_%: copied_tests
	@$(run_tests) $(out)/tests/browser/$*.test.mjs
.PHONY: check browser_check copied_tests
