#!/bin/sh
# hello.sh - the examples print what they promise, the README's program first.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
make_work

examples/hello "$top/sprites/star.png" >"$log" && grep -Eq '^after [0-9]\.[0-9]{2} s they touch at \([0-9.]+, [0-9.]+\)$' "$log"
report $? "hello: $(cat "$log")"

# The floor's top is at y = 392; the first touch is near it.
says=$(cat "$log")
sed 's/.*, \([0-9]*\)\..*/\1/' "$log" | awk '{ exit !($1 >= 390 && $1 <= 396) }'
report $? 'the touch is at the top of the floor'

examples/hello "$top/sprites/letter_l.png" >"$log"
[ -s "$log" ] && [ "$(cat "$log")" != "$says" ]
report $? 'another sprite touches elsewhere'

examples/hello no-such-file.png 2>"$log" >/dev/null
[ $? -eq 2 ] && [ "$(cat "$log")" = 'pv_mask_load: cannot open no-such-file.png' ]
report $? 'a missing file is said and gives exit 2'

if [ -x examples/masks ]; then
  SDL_VIDEODRIVER=dummy examples/masks "$top/sprites/gear.png" "$top/sprites/ship.png" --frames 60 >"$log" &&
    grep -Eq '^[1-9][0-9]? of 60 frames hit$' "$log"
  report $? "masks: $(cat "$log")"
else
  skip 'masks: a ship flies over a gear' 'built without SDL'
fi

examples/cloth "$top/sprites/rock_large.png" >"$log"
grep -Eq '^after 2 s the cloth is at \([0-9.]+, (1[0-9][0-9]|2[0-4][0-9])\.[0-9]\), the rock at \([12][0-9][0-9]\.[0-9], (19|20)[0-9]\.[0-9]\)$' "$log"
report $? "cloth: $(cat "$log")"
echo "1..$n"
