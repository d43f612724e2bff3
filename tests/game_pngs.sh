#!/bin/sh
# game_pngs.sh - compares the decoder with libpng on the PNGs of real games, fetched from Debian's archive.
# They are kept for later runs, in GAME_PNGS_CACHE or game_pngs.cache in the build directory.
# SPDX-License-Identifier: Zlib

packages='freedroid-data pingus-data'
[ -z "$PIXVERLET_TESTS" ] || packages="$packages lincity-ng-data hedgewars-data supertux-data"
most=1500    # files compared, evenly spread
patience=30  # seconds after which no further package is fetched

skip() { echo "1..0 # SKIP $1"; exit 0; }

program=
for file in "${top_builddir:-.}/tests/game_pngs" ./tests/game_pngs ./game_pngs; do
  if [ -x "$file" ]; then program=$file; break; fi
done
[ -n "$program" ] || skip 'game_pngs is not built: libpng is missing (Debian package: libpng-dev)'

cache=${GAME_PNGS_CACHE:-$PWD/game_pngs.cache}
mkdir -p "$cache" || skip "no place for $cache"

fetch() ( # fetch PACKAGE: extracts its PNGs to $cache/PACKAGE, all or nothing
  new=$cache/$1.new
  rm -rf "$new"
  mkdir -p "$new" && cd "$new" || exit 1
  apt-get -o Acquire::Retries=0 -o Acquire::http::Timeout=10 download "$1" && dpkg -x ./*.deb . ||
    { rm -rf "$new"; exit 1; }
  find . -type f ! -name '*.png' -exec rm -f {} +
  mv "$new" "$cache/$1"
)

begin=$(date +%s)
for package in $packages; do
  [ -d "$cache/$package" ] && continue
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || break
  [ $(($(date +%s) - begin)) -lt "$patience" ] || break
  fetch "$package" >/dev/null 2>&1 || break
done

list=$cache/list
find "$cache" -type f -name '*.png' ! -path '*.new/*' | LC_ALL=C sort |
  awk -v most="$most" '{ line[NR] = $0 }
    END { n = NR < most ? NR : most; for (i = 0; i < n; i++) print line[int(i * NR / n) + 1] }' >"$list"
[ "$(wc -l <"$list")" -ge 200 ] || skip 'no game packages to be had: no network, or no Debian'
exec "$program" <"$list"
