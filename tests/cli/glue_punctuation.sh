# glue_punctuation.sh: a treebank with blanks around all punctuation gets a text as print has it, which the parser's
# reader of treebanks takes for the text of its tokens.
exec >&2
fail() { echo "$*"; exit 1; }
row() { printf '%s\t%s\t_\tX\t_\t_\t%s\t%s\t_\t%s\n' "$@"; }
block() {
    printf '# sent_id = 1\n# text = %s\n' "$1"
    row 1 Das 2 det "$2"
    row 2 Buch 8 nsubj "$2"
    row 3 '(' 7 punct "$3"
    row 4-5 im _ _ _ | sed 's/\tX\t/\t_\t/'
    row 4 in 7 case _
    row 5 dem 7 det _
    row 6 '"' 7 punct "$4"
    row 7 Regal 2 nmod "$5"
    row 8 '"' 7 punct "$6"
    row 9 ')' 7 punct _
    row 10 fehlt 0 root "${7}"
    row 11 . 10 punct _
    printf '\n'
}
block 'Das Buch ( im " Regal " ) fehlt .' Bug=x _ _ _ _ Bug=y | sed 's/\t8\tnsubj/\t10\tnsubj/' > apart.conllu
block 'Das Buch (im "Regal") fehlt.' Bug=x SpaceAfter=No SpaceAfter=No SpaceAfter=No SpaceAfter=No \
    'Bug=y|SpaceAfter=No' | sed 's/\t8\tnsubj/\t10\tnsubj/' > want.conllu
awk -f "$SOURCE/scripts/glue-punctuation.awk" apart.conllu > glued.conllu || fail 'awk failed'
cmp glued.conllu want.conllu || { diff glued.conllu want.conllu; fail 'not as print has it'; }
awk -f "$SOURCE/scripts/glue-punctuation.awk" glued.conllu | cmp - glued.conllu || fail 'the text changes once more'
"$DRAGOMAN" convert trees -i glued.conllu -o checked.conllu 2> log || { cat log; fail 'no treebank any more'; }
