# Trees from format to format and back, into words, and the faults that a check finds.
. "$SOURCE/tests/support/shell/lib.sh"
same() { cmp "$1" "$2" || echo "$1 and $2 differ"; }
# ID FORM UPOS HEAD DEPREL.
row() { printf '%s\t%s\t_\t%s\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
{
    echo '# text = She (never) sleeps'
    row 1 She PRON 5 nsubj
    row 2 '(' PUNCT 3 punct
    row 3 never ADV 5 advmod
    row 4 ')' PUNCT 3 punct
    row 5 sleeps VERB 0 root
    echo
    echo '# text = zum 1 000. Mal'
    row 1-2 zum _ _ _
    row 1 zu ADP 4 case
    row 2 dem DET 4 det
    row 3 '1 000.' ADJ 4 amod
    row 4 Mal NOUN 0 root
    row 4.1 kam _ _ _
    echo
} > a.conllu
try convert trees -i a.conllu -o b.conllu
same a.conllu b.conllu
try convert trees -i a.conllu -t conllx
try convert-trees -i a.conllu -t typed
try convert trees -i a.conllu -t words
echo 'there and back:'
"$DRAGOMAN" convert trees -i a.conllu -t conllx > a.conllx
"$DRAGOMAN" convert trees -f conllx -t conllx -i a.conllx | cmp a.conllx -
"$DRAGOMAN" convert trees -f conllx -i a.conllx > back
"$DRAGOMAN" convert trees -t conllx -i back | cmp a.conllx -
"$DRAGOMAN" convert trees -i a.conllu -t typed > a.typed
"$DRAGOMAN" convert trees -f typed -t typed -i a.typed | cmp a.typed -
"$DRAGOMAN" convert trees -f typed -i a.typed | "$DRAGOMAN" convert trees -t typed | cmp a.typed -
for form in conllx typed; do
    "$DRAGOMAN" convert trees -f $form -i a.$form > $form.conllu
    cut -f 1,7,8 $form.conllu > $form.trees
done
grep -v '#' a.conllu | cut -f 1,7,8 | grep -v '[-.]' > a.trees
same a.trees conllx.trees
same a.trees typed.trees

echo 'brackets:'
cat > a.mrg << 'END'
( (S (NP-SBJ-1 (DT the) (NN dog)) (VP (VBZ barks) (S (NP (-NONE- *-1)))) (-LRB- -LRB-) (. .)))

(NP the (N \/ dog))
END
try convert trees -f brackets -t brackets -i a.mrg
try convert trees -f brackets -t brackets -i a.mrg --keep-tags -o kept
grep -c 'NP-SBJ-1' kept
try convert trees -f brackets -t words -i a.mrg
"$DRAGOMAN" convert trees -f brackets -t brackets -i a.mrg > b.mrg
"$DRAGOMAN" convert trees -f brackets -t brackets -i b.mrg | cmp b.mrg -
tr ' ' '\n' < b.mrg > long.mrg
try convert trees -f brackets -t words --free -i long.mrg
try convert trees -f brackets -t words -i long.mrg

echo 'several roots:'
{ row 1 a X 0 root; row 2 b X 1 dep; row 3 c X 0 root; echo; } > roots.conllu
try convert trees -i roots.conllu
try convert trees -i roots.conllu --multi-root attach-first
try convert trees -i roots.conllu --multi-root keep -t typed
echo 'random heads:'
try convert trees -i a.conllu --random 1
for seed in 1 1 2; do
    "$DRAGOMAN" convert trees -i a.conllu --random $seed | cksum
done | uniq -c | awk '{ print $1 }'
try convert trees -i a.conllu --random x
try convert trees -f brackets -t brackets -i a.mrg --random 1
echo 'no trees:'
{ echo '# 1'; echo; row 1 a X _ _; row 2 b X _ _; echo; } > none.conllu
try convert trees -i none.conllu -t words
try convert trees -i none.conllu -t words --allow-empty
try convert trees -i none.conllu --allow-empty
try convert trees -i none.conllu --lenient
try convert trees -i none.conllu --lenient -t typed
echo 'lenient: what is no tree leaves its words:'
{
    row 1-3 abc _ _ _; row 1 a X 2 x; row 7 b '' 1 x; row 7.2 c _ _ _; echo
    cat a.conllu
} > bad.conllu
try convert trees -i bad.conllu --lenient -o good.conllu
head -n 3 good.conllu
sed 1,3d good.conllu | cmp a.conllu -
try convert trees -i bad.conllu --lenient -t words

echo 'dependencies of phrases:'
try convert trees -f brackets --head-rules english -i a.mrg
try convert trees -f brackets --head-rules english --relations labels --keep-tags -t conllx -i a.mrg
try convert trees -f brackets --head-rules last --relations dep -t typed -i a.mrg
try convert trees -f brackets --head-rules first -t json -i a.mrg
try convert trees -f brackets --head-rules english --free -i long.mrg -t typed
"$DRAGOMAN" convert trees -f brackets --head-rules english -i a.mrg |
    "$DRAGOMAN" convert trees --allow-empty -t words
echo 'dependencies as brackets, and back:'
try convert trees -i a.conllu -t brackets
try convert trees -i a.conllu -t json
"$DRAGOMAN" convert trees -i a.conllu -t brackets |
    "$DRAGOMAN" convert trees -f brackets --head-rules word --relations labels
{ row 1 a X 3 dep; row 2 b X 0 root; row 3 c X 2 dep; echo; } > crossing.conllu
try convert trees -i crossing.conllu -t brackets

echo 'faults, by their rows in the catalogue:'
fault() {
    printf '%s: ' "$1"
    shift
    "$DRAGOMAN" convert trees "$@" -o written 2>&1
    test $? = 3 || echo 'NOT REFUSED'
    test ! -s written || echo 'SOMETHING WRITTEN'
}
rows() { { cat; echo; } > f; }
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\n' | rows; fault 21 -i f
echo '1 a _ X _ _ 0 root _ _' | rows; fault 21 -i f
row 1 a '' 0 root | rows; fault 22 -i f
{ row 1 a X 0 root; row 3 b X 1 dep; } | rows; fault 23 -i f
row 99999999999 a X 0 root | rows; fault 24 -i f
row 1 a X 3.5 root | rows; fault 25 -i f
{ row 1 a X 0 root; row 2 b X 17 dep; } | rows; fault 26 -i f
{ row 1 a X 0 root; row 2 b X 2 dep; } | rows; fault 27 -i f
{ row 1 a X 0 root; row 2 b X 3 dep; row 3 c X 2 dep; } | rows; fault 28 -i f
{ row 1 a X 2 dep; row 2 b X 1 dep; } | rows; fault 29 -i f
{ row 1 a X 0 root; row 1-1 a _ _ _; } | rows; fault 32 -i f
{ row 1 a X 0 root; row 1.2 b _ _ _; } | rows; fault 34 -i f
row 1 a noun 0 root | rows; fault 35 --strict -i f
row 1 a X 0 Root | rows; fault 35 --strict -i f
{ row 1 a X 0 root; echo '# late'; } | rows; fault 39 -i f
row 1 "$(printf '\377')" X 0 root | rows; fault 46 -i f
printf '1\ta\ta\ta\tN\tN\t_\t_\t0\t0\tR\tR\t_\t_\n' | rows; fault 47 -i f
printf '1\ta\t_\tN\tN\t_\t0\tR\t9\tR\n' | rows; fault 'CoNLL-X' -f conllx -i f
printf 'root(ROOT-0, a-1)\ndep(a-1, b-2)\ndep(a-1, b-2)\n' | rows; fault 'typed' -f typed -i f
fault 48 -f brackets -t words -i - << 'END'
(S (NP a) (VP b)
END
echo '(S a))' > f; fault 49 -f brackets -t words -i f
echo '(S (NP) a)' > f; fault 50 -f brackets -t words -i f
echo '()' > f; fault 50 -f brackets -t words -i f
head -c 4000000 /dev/zero | tr '\0' '(' > f
(ulimit -s 512; fault 52 -f brackets -t words -i f)
(ulimit -s 512; fault 52 -f brackets -t words --free -i f)
echo '(S a) (S b)' > f; fault 56 -f brackets -t words -i f
{ echo '(S a)'; echo '(S (NP b'; } > f
try convert trees -f brackets -t words -i f

echo 'wrong use:'
try convert trees -f brackets -i a.mrg
try convert trees -f brackets -t json -i a.mrg
try convert trees -f brackets --head-rules german -i a.mrg
try convert trees -f brackets -t binary --head-rules english -i a.mrg
try convert trees --head-rules english -i a.conllu
try convert trees -f brackets -t words --relations dep -i a.mrg
try convert trees --from ptb
try convert trees --strict --lenient -i a.conllu
try convert trees --free -i a.conllu
try convert trees --keep-tags -i a.conllu
try convert trees -i a.conllu -o a.conllu
try convert trees -i missing
try convert

echo 'binary, as encoders of constituents read trees:'
try convert trees -i a.conllu -t binary
try convert trees -f brackets -t binary -i a.mrg
"$DRAGOMAN" convert trees -f brackets -t binary -i a.mrg > binary.mrg
"$DRAGOMAN" convert trees -f brackets -t binary -i binary.mrg | cmp binary.mrg -
row 1 free X _ _ > f
try convert trees -t binary -i f --lenient
