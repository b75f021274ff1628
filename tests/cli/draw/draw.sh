# Trees as text and as SVG: crossing arcs, wide characters, no parse, deep trees, comparisons.
. "$SOURCE/tests/support/shell/lib.sh"
row() { printf '%s\t%s\t_\t%s\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
{
    echo '# text = A hearing is scheduled on the issue today.'
    row 1 A DET 2 det
    row 2 hearing NOUN 4 nsubj:pass
    row 3 is AUX 4 aux:pass
    row 4 scheduled VERB 0 root
    row 5 on ADP 7 case
    row 6 the DET 7 det
    row 7 issue NOUN 2 nmod
    row 8 today NOUN 4 obl:tmod
    row 9 . PUNCT 4 punct
    echo
    row 1 猫 NOUN 5 nsubj
    row 2 が ADP 1 case
    row 3 '<魚&>' NOUN 5 obj
    row 4 を ADP 3 case
    row 5 食べた VERB 0 root
    echo
    row 1 not _ _ _
    row 2 parsed _ _ _
    echo
} > trees.conllu
try draw tree -i trees.conllu
try draw tree -i trees.conllu -n 1 --ascii --no-tags
try draw tree -i trees.conllu -n 1 -w 60
try draw tree -i trees.conllu -n 1 -w 60 --ascii
sed 's/	2	nmod/	4	obl/' trees.conllu > other.conllu
try draw tree -i trees.conllu -c other.conllu -n 1
try draw tree -i trees.conllu -n 2 -f svg
try draw tree -i trees.conllu -o trees.svg
head -n 1 trees.svg
echo 'parts of the picture, and of the arcs that differ:'
grep -c '<desc>' trees.svg
grep -c 'stroke-dasharray' trees.svg
"$DRAGOMAN" draw tree -i trees.conllu -c other.conllu -f svg | grep -c 'stroke-dasharray'
if command -v xmllint > /dev/null; then
    xmllint --noout trees.svg || echo 'trees.svg is not well-formed'
fi
echo 'a chain too deep for brackets:'
awk 'BEGIN { for (i = 1; i <= 300; i++) printf "%d\tw%d\t_\tX\t_\t_\t%d\tdep\t_\t_\n", i, i, i - 1
    print "" }' > chain.conllu
"$DRAGOMAN" draw tree -w 60 < chain.conllu | sed -n '1,2p;300,$p'
echo 'a long sentence in rows: rows, arcs that go on, all relations once a row at most:'
awk 'BEGIN { for (i = 1; i <= 40; i++)
        printf "%d\tword%d\t_\tX\t_\t_\t%d\t%s\t_\t_\n", i, i, i == 20 ? 0 : i % 20 == 0 ? 20 : i < 20 ? 20 : i - 1,
            i == 1 ? "first" : "dep"
    print "" }' > long.conllu
for page in 1000 400 0; do
    "$DRAGOMAN" draw tree -i long.conllu --page $page -o long.svg
    grep -c 'translate' long.svg
    grep -c '…' long.svg
    grep -c '>word' long.svg
    awk '/<svg/ { sub(/.* width="/, ""); sub(/".*/, ""); print ($0 + 0 > '$page' ? "wider" : "fits") }' long.svg
done
echo 'what could steer a terminal:'
{ row 1 "$(printf 'a\033[2J\342\200\256b')" X 0 "$(printf 'x\007')"; echo; } > steer.conllu
try draw tree -i steer.conllu | od -A n -c | tr -s ' ' | head -n 20
echo 'mistakes:'
try draw tree -i trees.conllu -n 4
try draw tree -i missing.conllu
try draw tree -i trees.conllu -c chain.conllu
sed 's/	issue	/	matter	/' trees.conllu > text.conllu
try draw tree -i trees.conllu -c text.conllu -n 1
try draw tree -i trees.conllu -o trees.conllu
try draw tree -i trees.conllu -w 10
try draw tree -i trees.conllu --page 200
{ row 1 a X 2 x; row 2 b X 1 x; echo; } | try draw tree
try draw tree -i /dev/null
