#!/bin/sh
# check-top.sh SRCDIR: at the top stands what belongs there, and nothing that a try has left behind.
cd "$1" || exit 1
belongs='.ci .clang-format .editorconfig .gitignore CITATION.cff CONTRIBUTING.md ChangeLog HACKING.md LICENSE
    Makefile.in README.md SECURITY.md VERSION configure corpora doc findings include opencl scripts src tests vendor'
if git rev-parse --git-dir > /dev/null 2>&1; then
    git ls-files | sed 's|/.*||' | LC_ALL=C sort -u > "${TMPDIR:-/tmp}/top.$$"
else
    echo "check-top: not a clone of the repository: not checked" && exit 0
fi
trap 'rm -f "${TMPDIR:-/tmp}/top.$$"' 0
bad=0
while read -r name; do
    case " $(echo $belongs) " in
    *" $name "*) ;;
    *) echo "$name: does not belong at the top (scripts/check-top.sh lists what does)" && bad=1 ;;
    esac
done < "${TMPDIR:-/tmp}/top.$$"
test $bad = 0 || exit 1
echo "check-top: nothing at the top but what belongs there"
