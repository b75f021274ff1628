# Codes and vocabularies from a sample of lines, and counts in memory that has a limit.
exec >&2
fail() { echo "failed: $*"; exit 1; }
# refused STATUS WORDS COMMAND...
refused() {
    want=$1 words=$2
    shift 2
    rc=0
    "$@" > refused.out 2> refused.err || rc=$?
    test $rc = "$want" || fail "exit $rc of: $* ($(cat refused.err))"
    grep -q -e "$words" refused.err || fail "message of $*: $(cat refused.err)"
    test ! -s refused.out || fail "$* wrote something"
}
tokens() { awk '{ n += $2 } END { print n + 0 }' "$1"; }

# A line is its number: counts show which were read.
awk 'BEGIN { for (i = 1; i <= 3000; i++) print i }' > all
head -n 1000 all > a
tail -n 2000 all > b
"$DRAGOMAN" bpe vocab --learn-lines 500 a b > counts || fail 'bpe vocab'
test "$(tokens counts)" = 500 && test "$(wc -l < counts | tr -d ' ')" = 500 || fail 'not 500 lines'
n=$(awk '$1 <= 1000' counts | wc -l | tr -d ' ')
test "$n" -gt 120 && test "$n" -lt 215 || fail "$n of a third"
"$DRAGOMAN" bpe vocab --learn-lines 500 -i a b | cmp - counts || fail 'not the same again'
"$DRAGOMAN" bpe vocab --learn-lines 500 all | cmp - counts || fail 'files matter'
"$DRAGOMAN" bpe vocab --learn-lines 5000 all > more && "$DRAGOMAN" bpe vocab all | cmp - more || fail 'more than there are'
"$DRAGOMAN" vocab --learn-lines=7 all > dict && test "$(wc -l < dict | tr -d ' ')" = 7 || fail 'vocab'
"$DRAGOMAN" bpe learn -s 20 --min-frequency 1 --learn-lines 500 a b > codes || fail 'bpe learn'
awk '{ print $1 }' counts > sample
"$DRAGOMAN" bpe learn -s 20 --min-frequency 1 sample | cmp - codes || fail 'codes of the sample'

# A stream has no second pass; counts have no lines.
refused 2 'standard input can be read only once' "$DRAGOMAN" bpe learn --learn-lines 5 < all
refused 2 'standard input can be read only once' "$DRAGOMAN" vocab --learn-lines 5 a - < all
refused 2 'with --dict-input' "$DRAGOMAN" vocab --learn-lines 5 --dict-input counts
refused 2 'expected 1\.\.' "$DRAGOMAN" vocab --learn-lines -5 all
refused 2 'expected a size such as 2G or 500M, got "lots"' "$DRAGOMAN" vocab --count-memory lots all
refused 2 'expected 64K\.\.' "$DRAGOMAN" vocab --count-memory 1K all
refused 3 'missing' "$DRAGOMAN" vocab --learn-lines 5 all missing

# Beyond the limit the rare ones go, and that is said; the frequent ones stay.
awk 'BEGIN { for (i = 0; i < 30000; i++) print "the", i, "of", i % 10 }' > long
"$DRAGOMAN" bpe vocab long --count-memory 128K > few 2> err || fail "$(cat err)"
grep -q 'warning: there are too many different words for --count-memory: those that occur [0-9]* times or less' err ||
    fail "$(cat err)"
test "$(wc -l < few)" -lt 5000 || fail 'nothing went'
test "$(head -n 2 few | tr '\n' ' ')" = 'the 30000 of 30000 ' || fail "$(head -n 2 few)"
"$DRAGOMAN" bpe vocab long > exact 2> err && test ! -s err || fail 'a warning without cause'
test "$(wc -l < exact | tr -d ' ')" = 30002 || fail 'exact counts'

# Training learns from the same sample of pairs whatever the seed, and says what it lacks.
awk 'BEGIN { for (i = 1; i <= 900; i++) print "s" i }' > t.en
awk 'BEGIN { for (i = 1; i <= 900; i++) print "t" i }' > t.de
train() {
    "$DRAGOMAN" train --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 8 --transformer-dim-ffn 8 \
        --transformer-heads 1 --tied-embeddings decoder --train-sets t.en t.de --after 1u -m m.gguf "$@" 2> err
}
train --learn-lines 100 || fail "$(cat err)"
grep -q 'vocabularies 104 and 104)' err || fail "$(cat err)"
"$DRAGOMAN" inspect --vocab source m.gguf 2> /dev/null | sort > one || true
rc=0
train --learn-lines 200 --after 2u || rc=$?
test $rc != 0 && grep -q 'learn-lines' err || fail "resumed with another sample: $(cat err)"
train --learn-lines 100 --after 2u --count-memory 3G || fail "count-memory changes nothing: $(cat err)"
rm -rf m.gguf*
train --count-memory 131072 || fail "$(cat err)"
grep -q 'warning: there are too many different words of the source' err || fail "$(cat err)"
if mkfifo fifo 2> mkfifo.err; then
    rc=0
    "$DRAGOMAN" train --tokenize none --train-sets fifo t.de --learn-lines 5 -m n.gguf 2> err || rc=$?
    test $rc = 2 && grep -q 'fifo can be read only once' err || fail "rc $rc: $(cat err)"
fi
