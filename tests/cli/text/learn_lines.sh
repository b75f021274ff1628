# Codes and vocabularies from a sample of lines, and counts in memory that has a limit.
. "$SOURCE/tests/support/shell/lib.sh"
# refused CODE WORDS COMMAND...: so, and nothing is written.
refused() {
    ends "$@"
    test ! -s out || fail "$* wrote something"
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
refused 2 'dict-input with --learn-lines' "$DRAGOMAN" vocab --learn-lines 5 --dict-input counts
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
small bpe-merges=0 dim-emb=8 transformer-dim-ffn=8 transformer-heads=1 tied-embeddings=decoder after=1u
train_on='--train-sets t.en t.de' valid_on=
train m.gguf --learn-lines 100 || exit 1
said 'vocabularies 104 and 104)'
"$DRAGOMAN" inspect --vocab source m.gguf 2> /dev/null | sort > one || true
ends 2 'learn-lines' start m.gguf --learn-lines 200 --after 2u
train m.gguf --learn-lines 100 --after 2u --count-memory 3G || fail 'count-memory changes nothing'
rm -rf m.gguf*
train m.gguf --count-memory 131072 || exit 1
said 'warning: there are too many different words of the source'
if mkfifo fifo 2> mkfifo.err; then
    refuse 2 'fifo can be read only once' train --tokenize none --train-sets fifo t.de --learn-lines 5 -m n.gguf
fi
