#!/bin/sh
# format.sh SRCDIR: clang-format on the lines changed since the last commit, nothing else.
cd "$1" || exit 1
for tool in git-clang-format git-clang-format-14 git-clang-format-15 git-clang-format-16; do
    command -v $tool > /dev/null 2>&1 && exec $tool --extensions c,h
done
echo 'format: needs git-clang-format, which comes with clang-format' >&2
exit 1
