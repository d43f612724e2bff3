#!/bin/sh
# workflows.sh - .github/: its YAML is valid, and its workflows use commands of this tree. Nothing here runs them.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
[ -d "$top/.github" ] || leave_out 'not a checkout'
make_work
cd "$top/.github" || exit 99

if command -v yamllint >"$log"; then
  lint() { yamllint --strict -c "$top/.github/yamllint.yml" "$@" >"$log" 2>&1; }
  lint .
  report $? 'yamllint finds nothing'
  { cat workflows/check.yml; echo '  - astray: ['; } >"$work/check.yml"
  ! lint "$work/check.yml" && grep -q 'syntax error' "$log"
  report $? 'yamllint finds a broken line'
else
  skip 'yamllint finds nothing' 'yamllint is missing (Debian package: yamllint)'
  skip 'yamllint finds a broken line' 'yamllint is missing'
fi

# Lists the words after a command, anywhere in the workflows.
words_of() { grep -ho "$1 [a-z-]*" workflows/*.yml | sed "s|^$1 ||" | sort -u; }
for word in $(words_of '\./bootstrap'); do
  "$top/bootstrap" --help | grep -q "^ *\(Usage: \)\?\./bootstrap $word " || echo "./bootstrap has no $word"
done >"$log"
for target in $(words_of 'make -C build' | grep -v '^-'); do
  grep -q "^$target:" "$top/Makefile.am" || echo "Makefile.am has no $target"
done >>"$log"
for part in $(grep -ho 'examples/[a-z_]*\.c\|sprites/[a-z_]*\.png\|docs/[A-Z]*\.md' workflows/*.yml ISSUE_TEMPLATE/*.yml | sort -u); do
  [ -f "$top/$part" ] || echo "there is no $part"
done >>"$log"
silent 'workflows name commands, targets and files that are there'
[ -n "$(words_of '\./bootstrap')" ] && [ -n "$(words_of 'make -C build')" ]
report $? 'there are some'

for system in ubuntu macos windows; do
  grep -q "runs-on: $system-" workflows/check.yml || echo "check.yml does not run on $system"
done >"$log"
grep -q 'pixverlet-trace' ISSUE_TEMPLATE/bug.yml || echo 'the form of a bug does not ask for a trace' >>"$log"
silent 'three systems check, and a report of a bug brings a trace'
echo "1..$n"
