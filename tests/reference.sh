#!/bin/sh
# reference.sh - the HTML folder that `make doc` makes has all documents and a search, and no broken links.
# The printable cheat sheet has every function.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
command -v doxygen >/dev/null || leave_out 'Doxygen is missing (Debian package: doxygen)'
unset MAKEFLAGS MFLAGS MAKELEVEL
make_work
html=$work/reference/html

make -s V=1 reference-files reference="${work##*/}/reference" DOXYGEN=doxygen >"$log" 2>&1 && [ ! -s "$log" ]
report $? 'Doxygen makes it without a warning'

for doc in "$top_srcdir"/docs/*.md; do
  page=page_$(basename "$doc" .md | tr 'A-Z' 'a-z').html
  title=$(sed -n '1s/^# //p' "$doc")
  grep -qF "<div class=\"title\">$title " "$html/$page" || echo "$page does not begin with: $title"
done >"$log" 2>&1
silent 'every document is a page'

grep -n '&lsquo;\|ilinebr\|@ref\|{#' "$html"/page_*.html >"$log"
silent 'no mark of Markdown is left in a page'

{
  grep -q 'traces no polygons' "$html/index.html" || echo 'index.html is not the README'
  for chapter in 1 2 3 4; do grep -q "chapter_$chapter.html" "$html/navtreedata.js" || echo "no chapter $chapter in the tree"; done
  grep -q 'page_guide.html' "$html/chapter_1.js" || echo 'no guide in the first chapter'
} >"$log" 2>&1
silent 'it begins with the README, and the tree leads to the documents'

{
  grep -q 'searchBox' "$html/index.html" || echo 'index.html has no search box'
  for word in pv_world_step pv_body_def 'A game in fifteen minutes'; do
    grep -q "'$word'" "$html"/search/*.js || echo "the search does not find $word"
  done
} >"$log" 2>&1
silent 'the search finds functions, types and documents'

# Checks every link and picture of the folder, including ids within pages.
(cd "$html" && awk '
  function note(attribute, text,    target) {
    while (match(text, attribute "=\"[^\"]*\"")) {
      target = substr(text, RSTART + length(attribute) + 2, RLENGTH - length(attribute) - 3)
      text = substr(text, RSTART + RLENGTH)
      if (target !~ /^([a-z]+:|#$|$)/) wanted[(target ~ /^#/ ? FILENAME : "") target] = FILENAME
    }
  }
  FNR == 1 { there[FILENAME] = 1 }
  {
    shown = $0
    gsub(/&lt;[^&]*&gt;/, "", shown) # tags that a page shows as text
    note("href", shown)
    note("src", shown)
    text = $0
    while (match(text, /(id|name)="[^"]*"/)) {
      id = substr(text, RSTART, RLENGTH)
      text = substr(text, RSTART + RLENGTH)
      gsub(/^[a-z]+="|"$/, "", id)
      there[FILENAME "#" id] = 1
    }
  }
  END { for (target in wanted) if (!(target in there)) print target, wanted[target] }' *.html |
  while read -r target from; do
    case $target in
      *.html | *.html#*) echo "$from: $target" ;;
      *) [ -f "$target" ] || echo "$from: $target" ;;
    esac
  done) >"$log" 2>&1
silent 'no link and no picture is broken'

(cd "$top_srcdir" && grep -ho '!\[[^]]*\]([^)]*)' README.md docs/*.md) | sed 's/.*(//;s/)//;s|.*/||' | sort -u | while read -r picture; do
  grep -q "src=\"$picture\"" "$html"/*.html || echo "$picture is in no page"
done >"$log" 2>&1
silent 'pages show the pictures of the documents'

for example in "$top_srcdir"/examples/*.c; do
  name=$(basename "$example" .c)_8c-example.html
  [ -s "$html/$name" ] || echo "no $name"
done >"$log"
grep -q 'slingshot_8c-example.html' "$html/page_recipes.html" || echo 'the recipes lead to no programs' >>"$log"
silent 'every example is a page'

# The PDF has the names of the page; Ghostscript reads them back.
if command -v groff >/dev/null && command -v ps2pdf >/dev/null && command -v gs >/dev/null; then
  { make -s V=1 cheatsheet-pdf && gs -q -sDEVICE=txtwrite -o "$work/text" docs/cheatsheet.pdf &&
    tr -d ' ' <"$work/text" >"$work/words" &&
    sed -n 's/^- `.*[ *]\(pv_[a-z0-9_]*\)(.*/\1/p; s/^- `\(pv_[a-z0-9_]*\)(.*/\1/p' "$top_srcdir/docs/CHEATSHEET.md" |
    while read -r name; do grep -qF "$name(" "$work/words" || echo "$name"; done; } >"$log" 2>&1 && [ ! -s "$log" ]
  report $? "the cheat sheet to print has every function, on $(gs -q -dNODISPLAY -dNOSAFER \
    -c "(docs/cheatsheet.pdf) (r) file runpdfbegin pdfpagecount = quit") pages"
else
  n=$((n + 1))
  echo "ok $n - the cheat sheet to print # SKIP groff or ps2pdf is missing (Debian packages: groff-base ghostscript)"
fi
echo "1..$n"
