#!/bin/sh
# format.sh SRCDIR [all]: clang-format on the lines changed since the last commit; all: on every C
# file. The tree was formatted with clang-format 14; another version may differ in a few lines.
cd "$1" || exit 1
if test "${2-}" = all; then
    command -v clang-format > /dev/null 2>&1 || { echo 'format: needs clang-format' >&2; exit 1; }
    find include src tests corpora -name '*.[ch]' ! -path 'tests/bench/peers/*' -exec clang-format -i {} +
    exit
fi
test -z "${2-}" || { echo "format: expected nothing or all, got \"$2\"" >&2; exit 2; }
for tool in git-clang-format git-clang-format-14 git-clang-format-15 git-clang-format-16; do
    command -v $tool > /dev/null 2>&1 && exec $tool --extensions c,h
done
echo 'format: needs git-clang-format, which comes with clang-format' >&2
exit 1
