# A corpus in parts: files in step, nothing lost or twice, no sentence in two parts, what is refused.
. "$SOURCE/tests/support/shell/lib.sh"
split() { "$DRAGOMAN" split "$@"; }
# refused CODE WORDS COMMAND...: so, and nothing is written.
refused() {
    ends "$@"
    test ! -e x || fail "$* wrote something"
}
lines() { wc -l < "$1" | tr -d ' '; }

# Every source twice, with two targets.
awk 'BEGIN { for (i = 0; i < 2000; i++) print "source", i % 1000 }' > c.en
awk 'BEGIN { for (i = 0; i < 2000; i++) print "Ziel", i }' > c.de
awk 'BEGIN { for (i = 0; i < 2000; i++) print i }' > c.n
awk '{ printf "# %d\n1\tw%d\t_\t_\t_\t_\t0\troot\t_\t_\n\n", $1, $1 }' c.n > c.conllu

cut() { split c.en c.de c.n --trees c.conllu --train t.en t.de t.n t.conllu --dev d.en d.de d.n d.conllu \
    --test e.en e.de e.n e.conllu "$@"; }
cut --dev-size 100 --test-size 10% 2> err || fail "$(cat err)"
test "$(lines d.n)" = 100 || fail "dev has $(lines d.n) lines"
test "$(lines e.n)" -gt 130 && test "$(lines e.n)" -lt 270 || fail "test has $(lines e.n) lines"
grep -q "note:        100 dev" err && grep -q "note:  *$(lines e.n) test" err && grep -q "note:  *$(lines t.n) train" err ||
    fail "$(cat err)"
for part in t d e; do
    sort -n -c $part.n || fail "order of $part"
    awk '{ print "source", $1 % 1000 }' $part.n | cmp - $part.en || fail "$part.en"
    awk '{ print "Ziel", $1 }' $part.n | cmp - $part.de || fail "$part.de"
    grep '^#' $part.conllu | tr -d '# ' | cmp - $part.n || fail "$part.conllu"
    sort -u $part.en > $part.sorted
done
cat t.n d.n e.n | sort -n | cmp - c.n || fail 'pairs lost, or twice'
for two in 't d' 't e' 'd e'; do
    set -- $two
    test -z "$(comm -12 $1.sorted $2.sorted)" || fail "$1 and $2 share a source"
done

# The same again, in another order, with other pairs beside: what was tested by stays there.
cp d.n d.before && cp e.n e.before
cut --dev-size 100 --test-size 10% -q && cmp d.n d.before && cmp e.n e.before || fail 'not the same again'
cut --dev-size 100 --test-size 10% --seed 1 -q && ! cmp -s d.n d.before || fail 'another seed'
{ sort -r c.en; sed 's/^/new /' c.en; } > more.en
cut --dev-size 1% --test-size 10% -q
split -q more.en --train o.t --test o.e --test-size 10% || fail 'one text'
grep -v new o.e | sort -u | cmp - e.sorted || fail 'shares depend on other pairs'
split -q c.en c.de c.n --train a b o.n --dev a2 b2 d.n --dev-size 50 --by pair && test "$(lines d.n)" = 50 || fail '--by pair'
split -q c.en --train=a --test=b --test-size=7 && test "$(lines b)" = 6 || fail 'two of a kind fit into seven six times'

# Counting writes nothing; a part alone is a sample.
mkdir empty && (cd empty && split ../c.en ../c.de --dev-size 100 2> ../err) && test -z "$(ls empty)" || fail 'counting'
grep -q 'note:        100 dev' err && grep -q 'note:       1900 train' err || fail "$(cat err)"
split -q c.en c.de --test o.en o.de --test-size 12 && test "$(lines o.de)" = 12 || fail 'a sample'
split c.en --train o --test p --test-size 1 2> err && grep -q 'warning: test has no pair' err || fail "$(cat err)"

# Streams can be read once.
split -q - c.de --train - o.de --dev d.en d.de --dev-size 5% < c.en > o.en && test "$(lines o.en)" = "$(lines o.de)" ||
    fail 'streams'
refused 2 'standard input can be read only once' split - c.de --train x y --dev z w --dev-size 5 < c.en
if mkfifo fifo 2> mkfifo.err; then
    refused 2 'fifo can be read only once' split c.en fifo --train x y --dev z w --dev-size 5
fi

# What cannot be.
refused 2 'needs an argument' split
refused 2 'nothing to split off' split c.en c.de --train x y
refused 2 'dev goes with --dev-size, which is not given' split c.en c.de --train x y --dev z w
refused 2 'test-size without --test' split c.en c.de --train x y --dev z w --dev-size 1% --test-size 1%
refused 2 '--dev names 1 file; expected 2' split c.en c.de --train x y --dev z --dev-size 1%
refused 2 'size "many" .*expected a number of pairs' split c.en c.de --train x y --dev z w --dev-size many
refused 2 'size "0"' split c.en c.de --train x y --dev z w --dev-size 0
refused 2 'leave nothing to train on' split c.en c.de --dev-size 50% --test-size 50%
refused 3 '2000 pairs are all' split c.en c.de --train x y --dev z w --dev-size 2000
refused 2 'same file' split c.en c.de --train x c.de --dev z w --dev-size 1%
refused 2 'are both z' split c.en c.de --train x z --dev z w --dev-size 1%
refused 2 'by "target" without' split c.en --train x --dev z --dev-size 1% --by target
refused 2 'expected one of source' split c.en c.de --train x y --dev z w --dev-size 1% --by line
head -n 1999 c.de > short.de
refused 3 'c.en:2000: .*short.de has 1999 lines' split c.en short.de --train x y --dev z w --dev-size 1%
refused 3 'c.en:2000: .*short.de has 1999 lines' split c.en short.de --train x y --dev z w --dev-size 10
# A line longer than a line may be is not cut without a word.
{ cat c.n; awk 'BEGIN { while (i++ < 1200000) printf "fifteen letters"; print "" }'; } > wide
{ cat c.n; echo short; } > narrow
refused 3 'wide:2001: .*more than 16777216 bytes' split narrow wide --train x y --dev z w --dev-size 1%
test -z "$(ls -A | grep '^\.tmp-')" || fail 'a temporary file is left'
