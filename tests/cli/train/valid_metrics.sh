# valid_metrics.sh: a validation with several metrics: each is told, the first decides, BLEU and chrF
# are what `score` says of the same translations; what is no metric is refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 150 --dev 20 --test 5
for side in en de; do head -n 25 data/train.$side > few.$side; done # learned by heart
train_on='--train-sets few.en few.de --tokenize none --bpe-merges 0' valid_on='--valid-sets few.en few.de'
settings enc-depth=1 dec-depth=1 dim-emb=16 transformer-dim-ffn=24 transformer-heads=2 batch-tokens=300 lr=0.03 warmup=10 \
    after=120u valid-freq=60u
list=$SOURCE/src/text/score/metric_list.h
metrics="expected one of ce-mean-words|accuracy$(sed -n 's/^METRIC[_FIRST]*(\([a-z_0-9]*\))$/|\1/p' "$list" | tr -d '\n')"
case $metrics in *'|bleu|chrf'*) ;; *) fail "$list: $metrics" ;; esac
untrained 2 "$metrics, got \"belu\"; did you mean \"bleu\"?" --valid-metrics chrf belu
untrained 2 "$metrics, got \"\"" --valid-metrics ''
untrained 2 "$metrics, got \"\"" --valid-metrics bleu,,chrf
untrained 2 "$metrics, got \"\"" --valid-metrics=bleu,
untrained 2 '--valid-metrics: "bleu" stands there twice' --valid-metrics bleu chrf,bleu
untrained 2 'option --valid-metrics needs NAME...' --valid-metrics
printf 'valid-metrics = bleu chrf bleu\n' > twice.conf
untrained 2 'twice.conf:1:17: error: valid-metrics: "bleu" stands there twice' --config twice.conf
refuse 2 'expected one of las|uas|upos|xpos|ufeats|alltags|lemmas|mlas|blex, got "accuracy"' \
    train-parser --train-sets x.conllu --valid-metrics las accuracy

# Without a text there is nothing to measure; a recipe may say how, all the same.
for option in --valid-metrics=bleu --beam-size=4; do
    refuse 2 "${option%=*} goes with --valid-sets, which is not given" train --train-sets few.en few.de -m no.gguf $option
done
refuse 2 '--valid-metrics goes with --valid-sets, which is not given' \
    train-parser --train-sets x.conllu -m no.gguf --valid-metrics uas
test ! -e no.gguf.ckpt
printf 'valid-metrics = bleu\nbeam-size = 4\n' > bleu.conf
"$DRAGOMAN" train --config bleu.conf --train-sets few.en few.de -m no.gguf --dry-run 2> err || fail 'a recipe'

# What Marian calls them; one that is there twice then is refused.
"$DRAGOMAN" train --train-sets a b --valid-sets a b --valid-metrics perplexity bleu-detok --dump-config > dump
grep -q '^valid-metrics = ce-mean-words bleu  # command line$' dump || fail "$(cat dump)"
untrained 2 '"ce-mean-words" stands there twice' --valid-metrics cross-entropy,ce-mean-words

# names FILE: the metrics of the last validation, in their order.
names() { sed -n 's/.*"update": 120, "metric": "\([^"]*\)".*/\1/p' $1.ckpt/metrics.jsonl | tr '\n' ' '; }
value() { sed -n "s/.*\"update\": 120, \"metric\": \"$2\", \"value\": \\([^}]*\\)}/\\1/p" $1.ckpt/metrics.jsonl; }

train m.gguf --valid-metrics chrf,accuracy bleu
test "$(names m.gguf)" = 'ce-mean-words accuracy bleu chrf ' || fail "$(names m.gguf)"
test $(grep -c '\[valid\].* : chrf : .* : \(new best\|stalled\)' log) = 2 || fail "chrf decides"
if grep '\[valid\].* : \(bleu\|accuracy\|ce-mean-words\) : .* : \(new best\|stalled\)' log; then
    fail "another metric decides, too"
fi
# In files as on the command line, and with commas.
printf 'valid-metrics = chrf, accuracy bleu\n' > list.conf
train c.gguf --config list.conf
cmp m.gguf c.gguf
test "$(names c.gguf)" = "$(names m.gguf)"
"$DRAGOMAN" train --config list.conf --train-sets a b --dump-config |
    grep -q '^valid-metrics = chrf accuracy bleu  # list.conf:1$'
# The one that decides and no others: the same model.
train one.gguf --valid-metrics chrf
cmp m.gguf one.gguf
test "$(names one.gguf)" = 'ce-mean-words chrf ' || fail "$(names one.gguf)"

# scored MODEL METRIC...: the same numbers as those of the commands, whose best checkpoint is the last.
scored() {
    model=$1
    shift
    "$DRAGOMAN" translate --quiet -m $model.ckpt/update-00000120.gguf --beam-size 1 < few.en > out
    for metric in "$@"; do
        "$DRAGOMAN" score -b -w 6 -m $metric --tokenize none --smooth-method none few.de \
            < out > score
        value $model $metric >> score
        awk -v m=$metric '{ v[NR] = $1 }
            END { d = v[1] - v[2]
                  if (!(v[1] > 0 && d < 1e-5 && d > -1e-5)) { print m, v[1], v[2]; exit 1 } }' \
            score || fail "not what score says"
    done
}
scored m.gguf bleu chrf
# Words that the vocabulary has not are matched by nothing, as little as by <unk> in a translation.
train small.gguf --dim-vocabs 125 --valid-metrics bleu
grep -q '<unk>' log || fail 'all words are known'
scored small.gguf bleu
grep -q '<unk>' out || fail 'no unknown word in a translation'

# Of SentencePiece alike: references with a word that has no pieces.
cp few.en kept.en
cp few.de kept.de
head -n 3 kept.en > few.en
cp few.en copy.en
sed 's/^\([^ ]* [^ ]* [^ ]* [^ ]*\) [^ ]*/\1 ж/' few.en > few.de
usual=$train_on train_on='--train-sets few.en copy.en --tokenize spm'
train spm.gguf --spm "$SOURCE/tests/cli/text/spm/unigram.model" --valid-metrics bleu
grep -q '<unk>' log || fail 'all pieces are known'
scored spm.gguf bleu
cp kept.en few.en
cp kept.de few.de
train_on=$usual

# A resumed run may tell more, or less; another first metric is another run.
train m.gguf --after 130u --valid-metrics chrf
train one.gguf --after 130u --valid-metrics chrf bleu,accuracy
cmp m.gguf one.gguf
ends 2 'another setting than "valid-metrics = bleu"' start m.gguf --after 140u --valid-metrics bleu chrf

# A parser tells all of its metrics, too; the first that is named decides.
"$DRAGOMAN" train-parser --train-sets data/dev.en.conllu --valid-sets data/test.en.conllu --min-freq 1 \
    --after 4u --valid-freq 2u --dim-emb 8 --dim-lstm 8 --dim-piece 4 --dim-piece-lstm 4 --enc-depth 1 \
    --dim-arc 8 --dim-label 4 --dim-tag 4 --valid-metrics uas,las -m p.gguf 2> err
test $(grep -c '\[valid\].* : uas : .* : \(new best\|stalled\)' err) = 2 || fail "uas decides"
test $(grep -c '\[valid\].* : \(las\|upos\) : [0-9.]*$' err) = 4 || fail "las and upos are told only"
