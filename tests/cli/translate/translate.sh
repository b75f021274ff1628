# translate.sh: one line in, one line out, in order, whatever the lines hold; results do not
# depend on batches, threads or neighbours; scores agree with rescore.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 150 --dev 10 --test 40
demo dim-emb=32 transformer-dim-ffn=32 bpe-merges=80 after=60u
valid_on=
train m.gguf --train-trees data/train.en.conllu --syntax 'deps-san(layers=1)'

translate() { "$DRAGOMAN" translate --quiet --models m.gguf --trees none "$@"; }

translate -b 3 < data/test.en > all.de
test "$(wc -l < all.de)" = 40
translate -b 3 --threads 1 --batch-tokens 1 < data/test.en | cmp - all.de
translate -b 3 --threads 3 --maxi-batch 7 < data/test.en | cmp - all.de
while read -r line; do echo "$line" | translate -b 3; done < data/test.en | cmp - all.de

# Sentences enough for a search on each thread: the same lines in the same order, whoever had them.
cat data/test.en data/test.en > many.en
translate -b 5 --n-best 2 --threads 1 < many.en > many.de
translate -b 5 --n-best 2 --threads 2 --batch-tokens 300 < many.en | cmp - many.de
translate -b 5 --n-best 2 --threads 3 < many.en | cmp - many.de

# Lines that are blank, broken, long or spelled like control symbols keep their places.
{
    echo "the judge laughs ."
    echo
    printf '   \t  \n'
    printf 'a \377\376 b\n'
    printf 'nul \0 byte\n'
    printf 'carriage return\r\n'
    printf 'line\302\205separator\342\200\250inside\n'
    echo '</s> <pad> <unk> x@@ </w> ||| @@'
    awk 'BEGIN { for (i = 0; i < 3000; i++) printf "word "; print "" }'
    printf 'the judge laughs .'
} > odd.en
translate < odd.en > odd.de
test "$(wc -l < odd.de)" = 10
test "$(sed -n 1p odd.de)" = "$(sed -n 10p odd.de)"
test -z "$(sed -n 2p odd.de)$(sed -n 3p odd.de)"
: | translate | cmp - /dev/null

# Trees change translations; a bad tree or one that does not match costs its line the tree only.
translate --trees data/test.en.conllu < data/test.en > tree.de
test "$(wc -l < tree.de)" = 40
awk '/^2\t/ && !done { sub(/\t/, " "); done = 1 } { print }' data/test.en.conllu > bad.conllu
"$DRAGOMAN" translate -m m.gguf --trees bad.conllu < data/test.en > bad.de 2> bad.err
test "$(wc -l < bad.de)" = 40
grep -q warning bad.err
sed 1d bad.de > bad.tail
sed 1d tree.de | cmp - bad.tail
head -n 30 data/test.en.conllu > short.conllu
ends 3 short.conllu translate --trees short.conllu -i data/test.en

# Another rule of the search, whose results do not depend on batches either.
translate -b 3 --beam-rule shrinking --n-best 3 < data/test.en > shrinking.de
translate -b 3 --beam-rule shrinking --n-best 3 -j 3 --batch-tokens 7 < data/test.en |
    cmp - shrinking.de
test "$(wc -l < shrinking.de)" = 120
if translate -b 3 --n-best 3 < data/test.en | cmp -s - shrinking.de; then exit 1; fi
ends 2 beam-rule translate --beam-rule other -i data/test.en

# The best of an n-best list is the translation; its score is what rescore computes.
translate -b 4 --n-best 4 < data/test.en > nbest
test "$(grep -c '^7 |||' nbest)" = 4
translate -b 4 --scores --penalty none --keep-tokens < data/test.en > scored
cut -f 2 scored > words.de
cut -f 1 scored > search.scores
"$DRAGOMAN" rescore data/test.en words.de -q -m m.gguf --trees none > given.scores
paste search.scores given.scores | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 0.02) exit 1 }'

# An ensemble of one model with itself translates like the model.
"$DRAGOMAN" translate -q -m m.gguf m.gguf --trees none -b 1 < data/test.en > twice.de
translate -b 1 < data/test.en | cmp - twice.de

# A model that is no model: exit code 4 and one message.
head -c 1000 m.gguf > cut.gguf
refuse 4 cut.gguf translate -m cut.gguf -i data/test.en
test "$(wc -l < err)" = 1

# Bytes that are no text: one warning of each kind, with the line; one line out for each.
printf 'a \000 b\n\377\na \000\377 b\n' > bytes
"$DRAGOMAN" translate -m m.gguf --trees none < bytes > bytes.de 2> err
test "$(wc -l < bytes.de)" = 3
test "$(grep -c ': line [0-9] has' err)" = 2
grep -q 'line 1 has a NUL in column 3:' err
grep -q 'line 2 has ill-formed UTF-8 in column 1, "\\xFF":' err

# A model with damaged weights: no line is translated, whichever thread reads them; the tensor that comes
# first in the file is named.
cp m.gguf bad.gguf
size=$(wc -c < m.gguf)
for at in $((size / 2)) $((size * 3 / 4)) $((size - 2000)); do
    printf '\125\252\125' | dd of=bad.gguf bs=1 seek=$at conv=notrunc 2> /dev/null
done
for threads in 1 2 3; do
    rc=0
    "$DRAGOMAN" translate -m bad.gguf -j $threads < data/test.en > bad.de 2> bad.err || rc=$?
    test $rc = 4 && test ! -s bad.de && test "$(wc -l < bad.err)" = 1
    grep -q 'checksum mismatch' bad.err
    test -e bad.first || cp bad.err bad.first
    sed 's/^[^ ]* [^ ]* //' bad.err > bad.said
    sed 's/^[^ ]* [^ ]* //' bad.first | cmp - bad.said
done
