# sentence_weights.sh: pairs of training text that count more or less (--sentence-weights): in memory
# and from a file of encoded text, after stops, on any devices and threads; what is wrong with such a file.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 600 --dev 20 --test 10
generate more --seed 4 --train 200 --dev 20 --test 10

valid_on=
small transformer-dim-ffn=16 batch-tokens=250 disp-freq=1u save-freq=4u after=20u
cost() { sed -n 's/.*"update": 1,.*"loss": \([0-9.]*\),.*/\1/p' "$1.ckpt/metrics.jsonl"; }

awk 'BEGIN { for (i = 0; i < 600; i++) print 1 }' > ones
awk 'BEGIN { for (i = 0; i < 600; i++) print 2 }' > twos
awk 'BEGIN { for (i = 0; i < 600; i++) print (i % 3 == 0 ? 0.25 : i % 3) }' > mixed

# Ones change nothing; twos double the cost; an optimiser without a scale makes the same model of it.
train plain.gguf
train ones.gguf --sentence-weights ones
cmp plain.gguf ones.gguf 2> /dev/null ||
    test "$("$DRAGOMAN" inspect -n 9999 plain.gguf | grep checksums)" = \
        "$("$DRAGOMAN" inspect -n 9999 ones.gguf | grep checksums)" || fail 'ones are not 1'
train twos.gguf --sentence-weights twos
awk -v one="$(cost plain.gguf)" -v two="$(cost twos.gguf)" \
    'BEGIN { d = two - 2 * one; exit !(one > 0 && d < 1e-5 * two && -d < 1e-5 * two) }' ||
    fail "costs: $(cost plain.gguf), $(cost twos.gguf)"

# The same bytes on threads, devices, after stops, from a file of encoded text.
train one.gguf --sentence-weights mixed -j 1
train two.gguf --sentence-weights mixed -j 2
cmp one.gguf two.gguf
if cmp -s one.gguf plain.gguf; then fail 'weights have no effect'; fi
train parts.gguf --sentence-weights mixed --after 7u
train parts.gguf --sentence-weights mixed
cmp one.gguf parts.gguf
train cached.gguf --sentence-weights mixed --train-cache text.cache
cmp one.gguf cached.gguf
train cached2.gguf --sentence-weights mixed --train-cache text.cache
cmp one.gguf cached2.gguf
train several.gguf --sentence-weights mixed --accumulate 3 -d cpu,cpu
train several1.gguf --sentence-weights mixed --accumulate 3
cmp several.gguf several1.gguf
if "$DRAGOMAN" version --build | grep -q '^gzip: zlib$' && gzip -c mixed > mixed.gz; then
    train packed.gguf --sentence-weights mixed.gz
    cmp one.gguf packed.gguf
fi

# A cache of other weights is made anew; other weights are another text.
train cached3.gguf --sentence-weights twos --train-cache text.cache
cmp twos.gguf cached3.gguf
ends 2 'training text' start one.gguf --sentence-weights twos --after 30u

# A file for each of several texts, or none; with shares.
head -n 200 mixed > mixed2
train both.gguf --train-sets more/train.en more/train.de --sentence-weights none mixed2
train both2.gguf --train-sets more/train.en more/train.de --sentence-weights ones mixed2
test "$("$DRAGOMAN" inspect -n 9999 both.gguf | grep checksums)" = \
    "$("$DRAGOMAN" inspect -n 9999 both2.gguf | grep checksums)" || fail 'none is not 1'
printf 'data/train.en\tdata/train.de\nmore/train.en\tmore/train.de\n' > list
train_on=
train listed.gguf --train-list list --sentence-weights none mixed2
train_on='--train-sets data/train.en data/train.de'
cmp both.gguf listed.gguf
train shares.gguf --train-sets more/train.en more/train.de --train-weights 1,3 \
    --sentence-weights mixed mixed2

# ---- what is refused -----------------------------------------------------------------------------

untrained 2 '\-\-sentence-weights has 2 values for 1 text' --sentence-weights mixed mixed
untrained 3 'nothing: error' --sentence-weights nothing
head -n 599 mixed > short
untrained 3 'short: error: 599 weights; expected one for each line of data/train.en, also for line 600' \
    --sentence-weights short
(cat mixed; echo 1) > long
untrained 3 'long:601: error: more weights than the 600 lines' --sentence-weights long
for bad in 0 -1 nan inf 1e7 1e-7 x '' '1 2' '1,5' 0x1; do
    (head -n 2 mixed; printf '%s\n' "$bad"; tail -n 597 mixed) > bad
    untrained 3 'bad:3: error: weight ".*"; expected a number from 1e-6 to 1e6' --sentence-weights bad
done
untrained 2 'standard input' --sentence-weights -
untrained 2 'multitask' --sentence-weights mixed --multitask --train-brackets data/train.en.conllu
refuse 2 'sentence-weights' train-parser --train-sets data/dev.en.conllu --sentence-weights mixed
