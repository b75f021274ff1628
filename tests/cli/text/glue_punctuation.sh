# glue_punctuation.sh: a treebank with blanks around all punctuation gets a text as print has it, and one that its
# tokens say too, or train-parser --tokenizer would warn.
. "$SOURCE/tests/support/shell/lib.sh"
row() { printf '%s\t%s\t_\tX\t_\t_\t%s\t%s\t_\t%s\n' "$@"; }
# block TEXT MISC...: of Buch, (, ", Regal, the other ", fehlt.
block() {
    printf '# sent_id = 1\n# text = %s\n' "$1"
    row 1 Das 2 det _
    row 2 Buch 10 nsubj "$2"
    row 3 '(' 7 punct "$3"
    printf '4-5\tim\t_\t_\t_\t_\t_\t_\t_\t_\n'
    row 4 in 7 case _
    row 5 dem 7 det _
    row 6 '"' 7 punct "$4"
    row 7 Regal 2 nmod "$5"
    row 8 '"' 7 punct "$6"
    row 9 ')' 7 punct _
    row 10 fehlt 0 root "$7"
    row 11 . 10 punct _
    printf '\n'
}
block 'Das Buch ( im " Regal " ) fehlt .' Bug=x _ _ _ _ Bug=y > apart.conllu
block 'Das Buch (im "Regal") fehlt.' Bug=x SpaceAfter=No SpaceAfter=No SpaceAfter=No SpaceAfter=No \
    'Bug=y|SpaceAfter=No' > want.conllu
awk -f "$SOURCE/scripts/glue-punctuation.awk" apart.conllu > glued.conllu || fail 'awk failed'
cmp glued.conllu want.conllu || { diff glued.conllu want.conllu; fail 'not as print has it'; }
awk -f "$SOURCE/scripts/glue-punctuation.awk" glued.conllu | cmp - glued.conllu || fail 'the text changes once more'
"$DRAGOMAN" train-parser --tokenizer --train-sets glued.conllu --model x.gguf --dry-run > log 2>&1 ||
    { cat log; fail 'no treebank any more'; }
if grep -q 'goes on with' log; then cat log; fail 'another text than that of the tokens'; fi
