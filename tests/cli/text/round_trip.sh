# round_trip.sh: tok | detok gives running text back: lines of many scripts, composed and decomposed, with straight and
# with curly quotes (round_trip.tsv: language, line), and published text. Of languages with rules of Moses some published
# lines change, since its tokens do not say where "6 %" had a blank; of others those with blanks that nobody expects.
. "$SOURCE/tests/support/shell/lib.sh"
command -v python3 > /dev/null || skip 'no python3'
trip() { "$DRAGOMAN" tok -q -l "$1" | "$DRAGOMAN" detok -q -l "$1"; }
form() { python3 -c '
import sys, unicodedata
text = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(unicodedata.normalize(sys.argv[1], text).encode())' "$1"; }

for normal in NFC NFD; do
    form $normal < "$SOURCE/tests/cli/text/round_trip.tsv"
done > lines
for language in $(cut -f 1 lines | sort -u); do
    sed -n "s/^$language	//p" lines > "$language.lines"
    trip "$language" < "$language.lines" > got
    diff "$language.lines" got || fail "$language: the lines do not come back"
done

# Words that a segmenter has cut, and those of a language that is written with blanks.
echo '我 喜欢 读书 。' | "$DRAGOMAN" detok -q -l zh | grep -qx '我喜欢读书。' || fail 'words of Chinese stay apart'
echo '책 을 읽는다 .' | "$DRAGOMAN" detok -q -l ko | grep -qx '책 을 읽는다.' || fail 'words of Korean join'

test -n "$SHARED" && test -d "$SHARED/data/pud/text" || skip 'no shared data'
# published LANGUAGE LOST: of the 1,000 sentences LOST change; each does so alike when it is decomposed, and no more than
# in its blanks.
published() {
    form NFC < "$SHARED/data/pud/text/$1.txt" > composed
    form NFD < composed > decomposed
    trip "$1" < composed > got
    trip "$1" < decomposed | form NFC > got.decomposed
    cmp got got.decomposed || { diff got got.decomposed | head -n 4; fail "$1: marks change the round trip"; }
    tr -d '[:space:]' < composed > letters
    tr -d '[:space:]' < got | cmp letters - || fail "$1: more than blanks has changed"
    lost=$(diff composed got | grep -c '^<')
    test "$lost" = "$2" || fail "$1: $lost lines changed instead of $2"
}
# "6 %", "Marat/Sade", "830–846", "6:30", "didn't" in German text.
published en 8
published de 26
published fr 35
# Two blanks in a row; a blank before an ellipsis, a full stop, a quotation mark that closes.
published fi 1
published it 1
published sv 5
published tr 1
for language in cs ja ko ru zh; do
    published $language 0
done
