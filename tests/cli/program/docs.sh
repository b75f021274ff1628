# docs.sh: pages for developers name files and folders that are there, and links lead somewhere.
set -e
cd "$SOURCE"
bad=0
for page in *.md doc/*.md corpora/README.md; do
    # Names in backticks below these folders; those with NAME, <name> or * stand for any.
    for name in $(grep -o '`\(src\|tests\|opencl\|scripts\|doc\|include\|corpora\|vendor\)/[A-Za-z0-9_./-]*`' "$page" |
        tr -d '`' | grep -v '[A-Z][A-Z]' | sort -u); do
        test -e "$name" || { echo "$page: no $name"; bad=1; } >&2
    done
    for link in $(grep -o ']([A-Za-z0-9_./-]*)' "$page" | tr -d '])('); do
        test -e "$(dirname "$page")/$link" || { echo "$page: link to $link leads nowhere"; bad=1; } >&2
    done
done
test "$(sed -n 's/^version: //p' CITATION.cff)" = "$(cat VERSION)" || { echo "CITATION.cff: not version $(cat VERSION)"; bad=1; } >&2
test $bad = 0
