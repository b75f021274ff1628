# convert trees --strict: what levels 1 and 2 of Universal Dependencies' validator refuse.
. "$SOURCE/tests/support/shell/lib.sh"
# ID FORM UPOS FEATS HEAD DEPREL DEPS MISC.
row() { printf '%s\t%s\t_\t%s\t_\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
{
    echo '# newdoc id = d'
    echo '# sent_id = 1'
    echo '# text = Zum Mal (er)'
    row 1-2 Zum _ _ _ _ _ _
    row 1 zu ADP _ 3 case 3:case _
    row 2 dem DET 'Case=Dat|Gender=Fem,Masc|Number=Sing' 3 det 3:det _
    row 3 Mal NOUN _ 0 root '0:root|3.1:obl:zu:dat' _
    row 3.1 kam _ _ _ _ 3:dep _
    row 4 '(' PUNCT _ 5 punct 5:punct SpaceAfter=No
    row 5 er PRON _ 3 dep 3:dep SpaceAfter=No
    row 6 ')' PUNCT _ 5 punct 5:punct _
    echo
    echo '# sent_id = 2'
    echo '# text = ja'
    row 1 ja INTJ _ 0 root 0:root _
    echo
} > good.conllu
try convert trees --strict -i good.conllu -o same.conllu
cmp good.conllu same.conllu
"$DRAGOMAN" convert trees --strict < good.conllu | cmp good.conllu -
: > empty
try convert trees --strict -i empty

# One change each, by sed; the first fault is the only message.
refused() {
    sed "$@" good.conllu > bad.conllu
    cmp -s good.conllu bad.conllu && echo "NO CHANGE"
    "$DRAGOMAN" convert trees -i bad.conllu -o taken || echo 'NO TREE'
    "$DRAGOMAN" convert trees --strict -i bad.conllu -t words -o written 2>&1
    test $? = 3 || echo 'NOT REFUSED'
}
tab=$(printf '\t')
refused 's/zu:dat/zu_:dat/'
refused "s/3:dep$tab/3.1:dep$tab/"
refused "/^3.1/s/3:dep/_/"
refused "s/3:dep$tab/9:dep$tab/"
refused "s/0:root|3.1/3.1:root|0/"
refused 's/Fem,Masc/Masc,Fem/'
refused "/^3.1/s/_$tab""_$tab""3:dep/3${tab}dep${tab}3:dep/"
refused "/^1-2/s/_/zum/"
refused 's/sent_id = 2/sent_id = 1/'
refused '/sent_id = 2/d'
refused 's/text = ja/text = nein/'
refused "s/SpaceAfter=No/_/"
refused "s/0:root${tab}_/0:root${tab}Lang=de|Lang=de/"
refused '$s/$/\n/'
refused '$d'
refused 's/INTJ/_/'
refused "s/Mal$tab/M $tab/"
refused "/ja/s/0:root/_/"
{ printf '\357\273\277'; cat good.conllu; } > bad.conllu
try convert trees --strict -i bad.conllu
awk '{ printf "%s\r\n", $0 }' good.conllu > bad.conllu
try convert trees --strict -i bad.conllu
try convert trees --strict --random 3 -t words < good.conllu
printf '# sent_id = 1\n# text = a\n1\ta\t_\tX\t_\t_\t_\tdep\t_\t_\n\n' > bad.conllu
try convert trees --strict --random 3 -i bad.conllu
