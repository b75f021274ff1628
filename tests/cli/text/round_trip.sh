# round_trip.sh: tok | detok, of composed and decomposed text, with straight and with curly quotes. Moses' tokens do
# not say where "6 %" had a blank, so of published text some lines change; none for its marks, none in its letters.
. "$SOURCE/tests/support/shell/lib.sh"
command -v python3 > /dev/null || skip 'no python3'
trip() { "$DRAGOMAN" tok -q -l "$1" | "$DRAGOMAN" detok -q -l "$1"; }
form() { python3 -c '
import sys, unicodedata
text = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(unicodedata.normalize(sys.argv[1], text).encode())' "$1"; }

# exact LANGUAGE LINE: it comes back, composed and decomposed.
exact() {
    for normal in NFC NFD; do
        printf '%s\n' "$2" | form $normal > line
        trip "$1" < line > got
        cmp line got || fail "$normal: $(cat line) became $(cat got)"
    done
}
exact hi 'क्या वे हिन्दी में पढ़ते हैं?'
exact bn 'আমি বাংলায় গান গাই, তুমি শোনো!'
exact ta 'தமிழ் மொழி (மிகவும்) பழமையானது.'
exact te 'తెలుగు భాష చాలా తీయనిది, కదా?'
exact si 'ශ්‍රී ලංකාව ලස්සන රටකි.'
exact he 'בְּרֵאשִׁית בָּרָא אֱלֹהִים, נכון?'
exact fa 'او می‌خواهد کتاب‌ها را بخواند.'
exact ar 'اَلْعَرَبِيَّةُ لُغَةٌ جَمِيلَةٌ.'
exact el 'Ἐν ἀρχῇ ἦν ὁ λόγος.'
exact ka 'ქართული ენა ძველია.'
exact am 'አማርኛ ቋንቋ, ደህና.'
exact th 'ภาษาไทยไม่มีช่องว่าง (จริงๆ) นะ'
exact km 'ភាសាខ្មែរពិរោះ'
exact my 'မြန်မာစာသည် လှသည်'
exact vi 'Tiếng Việt rất đẹp, phải không?'
exact yo 'Ọjọ́ dára, ẹ káàbọ̀!'
exact ru 'Йод и ёж, её йога.'
exact de 'Das Café in Zürich öffnet spät; 👍🏽 👨‍👩‍👧 (🇩🇪) 1️⃣ Zucker­rübe.'
exact en 'it’s what they don’t say about Ann’s plan, “isn’t it?”, the dogs’ house'
exact fr 'l’amitié d’un voisin, aujourd’hui ; “l’été”'
exact uk 'п’ять об’єктів'

test -n "$SHARED" && test -d "$SHARED/data/pud/text" || skip 'no shared data'
# published LANGUAGE LOST: of the 1,000 sentences at most LOST change; each does so alike when it is decomposed or has
# curly quotes, and no more than in its blanks.
published() {
    form NFC < "$SHARED/data/pud/text/$1.txt" > composed
    form NFD < composed > decomposed
    trip "$1" < composed > got
    trip "$1" < decomposed | form NFC > got.decomposed
    cmp got got.decomposed || { diff got got.decomposed | head -n 4; fail "$1: marks change the round trip"; }
    tr -d '[:space:]' < composed > letters
    tr -d '[:space:]' < got | cmp letters - || fail "$1: more than blanks has changed"
    lost=$(diff composed got | grep -c '^<')
    test "$lost" -le "$2" || fail "$1: $lost lines changed instead of $2"
}
published cs 14
published de 26
published en 8
published fi 54
published fr 35
published sv 43
