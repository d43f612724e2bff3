#!/bin/sh
# hello.sh - the examples do what they say, the README's program first.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}"
echo 1..6

says=$(examples/hello "$top_srcdir/sprites/star.png")
if [ $? -eq 0 ] && echo "$says" | grep -Eq '^after [0-9]\.[0-9]{2} s they touch at \([0-9.]+, [0-9.]+\)$'; then
  echo "ok 1 - hello: $says"
else
  echo 'not ok 1 - hello drops a star'
  echo "# $says"
fi

# The floor's top is at y = 392, within it and a pixel above lies the point of the first touch.
y=$(echo "$says" | sed -n 's/.*, \([0-9]*\)\..*/\1/p')
if [ "${y:-0}" -ge 390 ] && [ "${y:-0}" -le 396 ]; then
  echo 'ok 2 - the touch is at the top of the floor'
else
  echo 'not ok 2 - the touch is at the top of the floor'
fi

other=$(examples/hello "$top_srcdir/sprites/letter_l.png")
if [ -n "$other" ] && [ "$other" != "$says" ]; then
  echo 'ok 3 - another sprite touches elsewhere'
else
  echo 'not ok 3 - another sprite touches elsewhere'
  echo "# $other"
fi

errors=$(examples/hello no-such-file.png 2>&1 >/dev/null)
if [ $? -eq 2 ] && [ "$errors" = 'pv_mask_load: cannot open no-such-file.png' ]; then
  echo 'ok 4 - a missing file is said and gives exit 2'
else
  echo 'not ok 4 - a missing file is said and gives exit 2'
  echo "# $errors"
fi

if [ -x examples/masks ]; then
  says=$(SDL_VIDEODRIVER=dummy examples/masks "$top_srcdir/sprites/gear.png" "$top_srcdir/sprites/ship.png" --frames 60)
  if [ $? -eq 0 ] && echo "$says" | grep -Eq '^[1-9][0-9]? of 60 frames hit$'; then
    echo "ok 5 - masks: $says"
  else
    echo 'not ok 5 - masks: a ship flies over a gear'
    echo "# $says"
  fi
else
  echo 'ok 5 - masks: a ship flies over a gear # SKIP built without SDL'
fi

says=$(examples/cloth "$top_srcdir/sprites/rock_large.png")
if echo "$says" | grep -Eq '^after 2 s the cloth is at \([0-9.]+, (1[0-9][0-9]|2[0-4][0-9])\.[0-9]\), the rock at \([12][0-9][0-9]\.[0-9], (19|20)[0-9]\.[0-9]\)$'; then
  echo "ok 6 - cloth: $says"
else
  echo 'not ok 6 - cloth: it lies over a rock that hangs'
  echo "# $says"
fi
