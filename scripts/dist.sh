#!/bin/sh
# dist.sh SRCDIR VERSION: dragoman-VERSION.tar.gz in the current folder, from the files
# that git knows or would add; without git, from every file that the build did not make.
srcdir=$1 name=dragoman-$2
here=$(pwd)
rm -rf "$name" "$name.tar.gz"
mkdir "$name" || exit 1
trap 'rm -rf "$here/$name" "$here/$name.list"' 0
(
    cd "$srcdir" || exit 1
    if test -e .git && command -v git > /dev/null 2>&1; then
        git ls-files --cached --others --exclude-standard
    else
        find . -type f ! -path './out*' ! -path './demo/*' ! -path './.git/*' | sed 's|^\./||' |
            grep -v -x -e 'lib.*\.a' -e 'lib.*\.so.*' -e dragoman -e 'config\.[a-ln-z].*' -e config.mk \
                -e rules.mk -e Makefile -e compile_commands.json -e dragoman.pc -e 'dragoman-.*' -e tags
    fi | LC_ALL=C sort -u | while read -r file; do test -f "$file" && echo "$file"; done
) > "$name.list"
(cd "$srcdir" && tar cf - -T "$here/$name.list") | (cd "$name" && tar xf -) || exit 1
tar cf - "$name" | gzip -9 > "$name.tar.gz" && echo "  wrote $name.tar.gz"
