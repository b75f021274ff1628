#!/bin/sh
# check-format.sh SRCDIR [-i]: every C file is laid out as clang-format 14 lays it out; -i: it is made
# so. Without that version, whose layout others do not quite share, the check is skipped.
cd "$1" || exit 1
for tool in clang-format-14 clang-format ''; do
    $tool --version 2> /dev/null | grep -q ' version 14\.' && break
done
if test -z "$tool"; then
    echo "skipped - check-format: needs clang-format 14; found $(clang-format --version 2> /dev/null || echo none)"
    test "${2-}" != -i
    exit
fi
find include src tests corpora scripts -name '*.[ch]' | LC_ALL=C sort |
    xargs $tool "${2---dry-run}" -Werror || exit 1
echo "check-format: every C file is formatted"
