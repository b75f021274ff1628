#!/bin/sh
# format.sh SRCDIR [all]: clang-format on the lines changed since the last commit; all: on every C
# file, by clang-format 14, whose layout `make check-format` asks for.
cd "$1" || exit 1
test "${2-}" != all || exec sh scripts/check-format.sh . -i
test -z "${2-}" || { echo "format: expected nothing or all, got \"$2\"" >&2; exit 2; }
for tool in git-clang-format git-clang-format-14 git-clang-format-15 git-clang-format-16; do
    command -v $tool > /dev/null 2>&1 && exec $tool --extensions c,h
done
echo 'format: needs git-clang-format, which comes with clang-format' >&2
exit 1
