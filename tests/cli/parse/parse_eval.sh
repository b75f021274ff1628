# Scores of a parser: the forms of the output, and files that do not fit together.
# FORM LEMMA UPOS FEATS HEAD RELATION lines, with a number before and `_` where nothing is said.
. "$SOURCE/tests/support/shell/lib.sh"
rows() {
    awk -v OFS='\t' '
        NF == 0 { n = 0; print ""; next }
        NF == 2 { print $1, $2, "_", "_", "_", "_", "_", "_", "_", "_"; next }
        { print ++n, $1, $2, $3, "_", $4, $5, $6, "_", "_" }'
}
rows > gold << 'END'
elle elle PRON Number=Sing|Person=3 2 nsubj
vient venir VERB Mood=Ind 0 root
3-4 du
de de ADP _ 5 case
le le DET Definite=Def 5 det
bois bois NOUN Gender=Masc 2 obl:arg
. . PUNCT _ 2 punct

oui oui INTJ _ 0 root

END
rows > system << 'END'
elle elle PRON Person=3|Number=Sing 2 nsubj
vient vient VERB Mood=Ind 0 root
du du ADP _ 4 case
bois bois NOUN Gender=Masc|X=1 2 obl
.oui . PUNCT _ 2 punct

END
echo 'a sentence without a tree, which counts as wrong; of the gold file it is refused:'
awk -F '\t' -v OFS='\t' 'NF == 10 && n == 1 { $7 = $8 = "_" } NF == 0 { n++ } 1' gold > unparsed
try parse-eval gold unparsed
try parse-eval unparsed gold
echo 'forms of the output:'
try parse-eval gold system
try parse-eval -v gold system
try parse-eval --counts gold system
try eval-parse --format json gold system
"$DRAGOMAN" parse-eval - system < gold > a && "$DRAGOMAN" parse-eval gold - -o b < system && cmp a b
"$DRAGOMAN" parse-eval gold system | cmp - a
echo 'bad input:'
try parse-eval gold
try parse-eval gold system gold
try parse-eval - -
try parse-eval gold missing
try parse-eval gold system -o gold
try parse-eval gold system --multi-root first
sed 's/bois/Bois/' gold > other
try parse-eval gold other
sed 's/^5	bois\(.*\)	2	obl/5	bois\1	0	obl/' gold > roots
try parse-eval gold roots
try parse-eval gold roots --multi-root keep
try parse-eval roots gold --multi-root keep
: > empty
try parse-eval gold empty
