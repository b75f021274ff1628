# corpora.sh: the generator of the built-in treebank: sizes, valid trees that spell the text,
# the same bytes for the same seed, no sentence in two splits. $GENERATE is the program.
. "$SOURCE/tests/support/shell/lib.sh"
test -n "${GENERATE-}" || skip 'GENERATE names no generator'
LC_ALL=C
export LC_ALL

"$GENERATE" --seed 1 --train 600 --dev 50 --test 70 --out one > report || fail 'seed 1'
"$GENERATE" --seed 1 --train 600 --dev 50 --test 70 --out again > /dev/null || fail 'again'
"$GENERATE" --seed 2 --train 600 --dev 50 --test 70 --out two > /dev/null || fail 'seed 2'

for split in 'train 600' 'dev 50' 'test 70'; do
    name=${split% *} size=${split#* }
    for side in en de; do
        test "$(wc -l < one/$name.$side)" -eq "$size" || fail "$name.$side: not $size lines"
        cmp -s one/$name.$side again/$name.$side || fail "$name.$side: other bytes"
        cmp -s one/$name.$side.conllu again/$name.$side.conllu || fail "$name.$side.conllu: other bytes"
    done
done
cmp -s one/train.en two/train.en && fail 'two seeds, one text'

cat one/train.en one/dev.en one/test.en | sort | uniq -d > twice
test -s twice && fail "said twice: $(head -n 1 twice)"

# Ten columns, words counted from 1, one root, no cycle; the words are the line of the text.
for file in one/*.conllu; do
    awk -F '\t' -v text="${file%.conllu}" '
    function finish(    i, at, steps) {
        if (roots != 1) bad("roots: " roots)
        for (i = 1; i <= n; i++) {
            at = i
            for (steps = 0; at != 0 && steps <= n; steps++) at = head[at]
            if (at != 0) bad("cycle")
        }
        if ((getline line < text) != 1 || line != words) bad("text differs: " words)
        n = roots = 0
        words = ""
    }
    function bad(what) { print FILENAME ":" FNR ": " what; failed = 1; exit 1 }
    /^#/ { next }
    /^$/ { finish(); next }
    {
        if (NF != 10 || $1 != n + 1) bad("row")
        if ($4 !~ /^[A-Z]+$/ || $8 == "_") bad("label")
        head[++n] = $7
        roots += $7 == 0
        words = words (n > 1 ? " " : "") $2
    }
    END { if (!failed && (getline line < text) != 0) bad("fewer trees than lines") }
    ' "$file" >&2 || fail "$file"
done

# About half of the sentences, at least, are open in English and decided by the tree.
open=$(sed -n 's/.* in \([0-9]*\) sentences only the tree decides$/\1/p' report)
test "${open:-0}" -ge 360 || fail "only ${open:-no} sentences need the tree"

# The files take their places together or not at all: of these, the first is small enough.
cp -r one limited
(trap '' XFSZ; ulimit -f 8; exec "$GENERATE" --seed 2 --train 60 --dev 5 --test 5 --out limited > /dev/null 2> err) &&
    fail 'a treebank beyond the limit of files'
grep -q 'too large' err || fail "another error: $(cat err)"
diff -r one limited > /dev/null || fail "a failure left $(diff -rq one limited)"

"$GENERATE" --train -1 --out bad 2> /dev/null && fail 'a negative size was accepted'
"$GENERATE" --train 5 2> /dev/null && fail 'no folder was accepted'
exit 0
