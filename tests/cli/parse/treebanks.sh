# treebanks.sh: a parser of several treebanks that tells them apart: two annotations that contradict
# each other, threads, batches and kills; what its file says; options that do not fit.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# bank LAST SKIP: words whose head is the next one (LAST 1) or the one before; two of three sentences.
bank() {
    awk -v last="$1" -v skip="$2" 'BEGIN {
        split("red old big wet", a, " "); split("dog cat cow owl", b, " "); split("house door roof lamp", c, " ")
        for (i = 0; i < 64; i++) {
            if (i % 3 == skip) continue
            w[1] = a[i % 4 + 1]; w[2] = b[int(i / 4) % 4 + 1]; w[3] = c[int(i / 16) + 1]
            for (k = 1; k <= 3; k++) {
                head = last ? (k < 3 ? k + 1 : 0) : k - 1
                printf "%d\t%s\t_\tX\t%s\t%s\t%d\t%s\t_\t_\n", k, w[k], last ? "_" : "x" k,
                    last ? "_" : "A=" k, head, head ? (last ? "left" : "right") : "root"
            }
            print ""
        }
    }'
}
bank 0 0 > first.conllu
bank 1 0 > last.conllu
bank 0 1 > first.dev.conllu
bank 1 1 > last.dev.conllu
trainer=train-parser train_on= valid_on=
settings enc-depth=1 dim-emb=16 dim-lstm=16 dim-piece=8 dim-piece-lstm=8 dim-arc=16 dim-label=8 dim-tag=16 min-freq=1 \
    dropout=0.1 word-dropout=0.1 recurrent-dropout=0.1 lr=0.02 warmup=5 after=80u batch-tokens=100 save-freq=9u \
    max-length=40 'train-sets=first.conllu last.conllu'
words() { awk -F '\t' 'NF == 10 { printf "%s%s", sep, $2; sep = " " } NF == 0 { print ""; sep = "" }' "$1"; }
las() { "$DRAGOMAN" parse-eval -v "$@" | awk -F '|' '$1 ~ "^LAS " { print $4 + 0 }'; }

# ---- each as it annotates ---------------------------------------------------------------------------

train p.gguf --treebanks first,last --threads 1
words first.dev.conllu > tokens
parse() { "$DRAGOMAN" parse --quiet -m p.gguf -f tokens "$@" < tokens; }
parse --treebank first > as.first
parse --treebank last > as.last
test "$(las first.dev.conllu as.first) $(las last.dev.conllu as.last)" = '100 100' ||
    fail "$(las first.dev.conllu as.first) $(las last.dev.conllu as.last)"
test "$(las first.dev.conllu as.last)" = 0
train one.gguf --threads 1
"$DRAGOMAN" parse -q -m one.gguf -f tokens < tokens > as.one
awk -v a="$(las first.dev.conllu as.one)" -v b="$(las last.dev.conllu as.one)" 'BEGIN { exit a + b > 101 }' ||
    fail 'one parser annotates one sentence in two ways'
"$DRAGOMAN" parse -m p.gguf -f tokens < tokens > a 2> err
cmp a as.first
grep -q 'note: treebank: annotating like the first of first, last$' err || fail "$(cat err)"
"$DRAGOMAN" parse -m p.gguf -f tokens --treebank last < tokens > a 2> err
grep -q treebank: err && fail "a note of what was chosen: $(cat err)"
for options in '--threads 3' '--batch-tokens 1' '--immediate'; do
    parse --treebank last $options | cmp - as.last || fail "$options"
done
"$DRAGOMAN" annotate -q -m p.gguf -f tokens --to heads --treebank first < tokens | sort -u > a
"$DRAGOMAN" annotate -q -m p.gguf -f tokens --to heads --treebank last < tokens | sort -u > b
if cmp -s a b; then fail 'annotate hears nothing of --treebank'; fi
"$DRAGOMAN" annotate -q -m p.gguf -f tokens --to heads < tokens | sort -u | cmp - a

# ---- the same bytes -----------------------------------------------------------------------------------

train two.gguf --treebanks first last --threads 2
cmp p.gguf two.gguf
train part.gguf --treebanks first last --after 23u
if cmp -s p.gguf part.gguf; then fail 'stopping changes nothing'; fi
train part.gguf --treebanks first last
cmp p.gguf part.gguf
killed_saving killed.gguf start killed.gguf --quiet --treebanks first last
train killed.gguf --treebanks first last
cmp p.gguf killed.gguf
# A single name is a vector that all sentences have; without names a parser has none.
train same.gguf --treebanks all all --after 9u
if "$DRAGOMAN" inspect one.gguf | grep -q treebanks; then fail 'names that nobody gave'; fi
"$DRAGOMAN" inspect p.gguf | grep 'treebanks' | tr -s ' ' > a
printf ' dragoman.parser.treebanks string[6] "<s>", "<pad>", "</s>", "<unk>", "first", "last"\n' > b
printf ' parser.treebanks.weight f32 2 x 16\n' >> b
cmp a b || fail "$(cat a)"
"$DRAGOMAN" average -q -o mean.gguf p.gguf p.gguf
"$DRAGOMAN" parse -q -m mean.gguf -f tokens --treebank last < tokens | cmp - as.last
"$DRAGOMAN" quantize -q -o small.gguf p.gguf
"$DRAGOMAN" parse -q -m small.gguf -f tokens --treebank last < tokens | cut -f 7 > a
cut -f 7 as.last | cmp - a
train other.gguf --treebanks first third --after 9u
refuse 4 'dragoman.parser.treebanks is not that of' average -o mean2.gguf p.gguf other.gguf

resume() { # TEXT OPTION...: what refuses a run that goes on
    text=$1
    shift
    ends 2 "$text" start p.gguf --after 99u "$@"
}
resume 'trained with --treebanks that are called first, last'
resume 'trained with --treebanks that are called first, last' --treebanks first,third
resume 'trained with --treebanks that are called first, last' --treebanks last,first
resume 'trained with --treebanks that are called first, last' --treebanks first,first
resume 'training text is not the one' --treebanks first last first -t first.conllu last.conllu last.conllu
ends 2 'trained without --treebanks' start one.gguf --after 99u --treebanks first,last
train three.gguf --treebanks first last first -t first.conllu last.conllu first.dev.conllu --after 9u
ends 2 'training text is not the one' start three.gguf --after 12u \
    --treebanks first last last -t first.conllu last.conllu first.dev.conllu
ends 2 'with --treebanks that are called first, last' start three.gguf --after 12u \
    -t first.conllu last.conllu first.dev.conllu

# ---- validation -------------------------------------------------------------------------------------

# las of the last validation of a run.
told() { sed -n 's/.*"metric": "las", "value": \([^}]*\)}.*/\1/p' "$1.ckpt/metrics.jsonl" | tail -n 1; }
valid() {
    model=$1
    shift
    train "$model" --treebanks first,last --valid-freq 80u --valid-sets "$@"
}
valid right.gguf first.dev.conllu last.dev.conllu --valid-treebanks first,last
test "$(told right.gguf)" = 100 || fail "$(told right.gguf)"
cmp right.gguf p.gguf # a validation reads
valid wrong.gguf first.dev.conllu last.dev.conllu --valid-treebanks last,first
test "$(told wrong.gguf)" = 0 || fail "$(told wrong.gguf)"
valid half.gguf first.dev.conllu last.dev.conllu --valid-treebanks last,last
test "$(told half.gguf)" = 50 || fail "$(told half.gguf)"
ends 2 'validation text is not the one' start half.gguf --after 99u \
    --valid-freq 80u --treebanks first,last --valid-sets first.dev.conllu last.dev.conllu --valid-treebanks last,first
train alone.gguf --treebanks all all --after 9u --valid-sets first.dev.conllu # one name: no question

untrained 2 'treebanks has 1 name for 2 files of --train-sets; expected one for each' --treebanks first
untrained 2 'treebanks has 3 names for 2 files of --train-sets' --treebanks first last third
untrained 2 'given twice' --treebanks first --treebanks last
untrained 2 '"<unk>"; expected a name of at most 40 bytes' --treebanks first '<unk>'
untrained 2 'option --treebanks needs' --treebanks
untrained 2 'valid-treebanks goes with --treebanks, which' --valid-treebanks first --valid-sets first.dev.conllu
untrained 2 'valid-treebanks has 1 name for 0 files' --treebanks first,last --valid-treebanks first
untrained 2 'valid-treebanks has 1 name for 2 files of --valid-sets' --treebanks first,last --valid-treebanks first \
    --valid-sets first.dev.conllu last.dev.conllu
untrained 2 'treebanks without --valid-treebanks; expected one of first, last for each' --treebanks first,last \
    --valid-sets first.dev.conllu
untrained 2 '--valid-treebanks "lost", .* expected one of first, last; did you mean "last"' --treebanks first,last \
    --valid-sets first.dev.conllu --valid-treebanks lost

refuse 4 'treebank "lost", which .* expected one of first, last; did you mean "last"' parse -m p.gguf --treebank lost
refuse 4 'treebank "", which' parse -m p.gguf --treebank ''
refuse 4 'treebank "Last", which' annotate -m p.gguf --treebank Last
refuse 4 'treebank "last" of a parser that tells none apart' parse -m one.gguf --treebank last
refuse 4 'of a parser that tells none apart' annotate -m one.gguf --treebank last
refuse 2 'given twice' parse -m p.gguf --treebank last --treebank first
refuse 2 'treebank' parse -m p.gguf --treebank

# ---- columns ------------------------------------------------------------------------------------------

# "last" has neither XPOS nor FEATS: told apart, it does not teach that words have no features.
train columns.gguf --columns all --treebanks first,last
said 'last.conllu: no word has anything in the XPOS column: learned from the other files'
said 'last.conllu: no word has anything in the FEATS column: learned from the other files'
said 'train-sets: 42 sentences of treebank last'
silent warning
for treebank in first last; do
    "$DRAGOMAN" parse -q -m columns.gguf -f tokens --treebank $treebank < tokens > a
    awk -F '\t' 'NF == 10 && ($5 == "_" || $6 == "_")' a > odd
    test ! -s odd || fail "$treebank: $(head -n 3 odd)"
done
train columns1.gguf --columns all --after 5u
said 'warning: last.conllu: no word has features: it teaches that words have none'

# ---- inside a translation model -------------------------------------------------------------------

printf 'red dog house\n' > t.src
printf 'rot Hund Haus\n' > t.trg
"$DRAGOMAN" train -m mt.gguf --train-sets t.src t.trg --syntax 'deps-san(layers=1)' --parser p.gguf \
    --after 1u --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 8 \
    --transformer-heads 2 --transformer-dim-ffn 8 2> log
grep -q 'parser: annotating like the first of the treebanks first, last' log || fail "$(cat log)"
"$DRAGOMAN" parse -q -m mt.gguf -f tokens < tokens | cmp - as.first
"$DRAGOMAN" parse -q -m mt.gguf -f tokens --treebank last < tokens | cmp - as.last
"$DRAGOMAN" parse -q -m p.gguf -f tokens < t.src > t.conllu
"$DRAGOMAN" train -q -m head.gguf --train-sets t.src t.trg --syntax 'lisa(layer=1)' --train-trees t.conllu \
    --after 0u --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 8 \
    --transformer-heads 2 --transformer-dim-ffn 8
refuse 4 'treebank "last" of an attention head' parse -m head.gguf -f tokens --treebank last

# ---- memory ---------------------------------------------------------------------------------------

promised() {
    "$DRAGOMAN" train-parser --config small.conf --dim-emb 4096 --after 0u -m promise.gguf --overwrite "$@" 2>&1 |
        sed -n 's/.*all in all, at most \([0-9.]*\) MiB$/\1/p'
}
# 64 vectors of 4096 numbers: 1 MiB of weights, as much of gradients, twice of moments.
list=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "%s%s", i ? "," : "", "t" i }')
files=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "%s ", i % 2 ? "first.conllu" : "last.conllu" }')
echo "$(promised -t $files) $(promised -t $files --treebanks "$list")" |
    awk '{ if ($2 - $1 < 3.5) { print "promised " $1 " and " $2 " MiB"; exit 1 } }' || fail 'of which vectors have no part'
