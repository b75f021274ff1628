# shortlist.sh: lists of target words, from a corpus and from a table; translations with them, which
# depend neither on threads nor on neighbours; what is refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 200 --dev 10 --test 20
demo dim-emb=32 transformer-dim-ffn=128 bpe-merges=80 train-trees=data/train.en.conllu
valid_on=
translate() { "$DRAGOMAN" translate --quiet --trees none "$@" < data/test.en; }
shortlist() { "$DRAGOMAN" shortlist --quiet -m m.gguf "$@"; }
corpus() { shortlist -t data/train.en data/train.de "$@"; }

train m.gguf --after 60u --syntax none
"$DRAGOMAN" shortlist -m m.gguf -t data/train.en data/train.de -o list 2> note
grep -q 'corpus: 200; used: 200; blank or of more than 200 pieces: 0; passed over .*: 0$' note
grep -q 'list: 104 of [0-9]* target types are always allowed' note
# What is used, left out and passed over adds up, and a side of 200 pieces is used.
long() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "a%s", i < n - 1 ? " " : "\n" }'; }
for side in en de; do
    { head -n 20 data/train.$side; echo; long 200; long 201; tail -n 9 data/train.$side; } > odd.$side
done
"$DRAGOMAN" shortlist -m m.gguf -t odd.en odd.de -o odd 2> note
grep -q 'corpus: 32; used: 30; .*pieces: 2; passed over .*: 0$' note || fail "$(cat note)"
"$DRAGOMAN" shortlist -m m.gguf -t odd.en odd.de -o odd --pairs 7 2> note
sed -n 's/.*corpus: \([0-9]*\); used: \([0-9]*\); .*pieces: \([0-9]*\); .*: \([0-9]*\)$/\1 \2 \3 \4/p' note |
    awk '{ good = $1 == 32 && $2 > 0 && $2 <= 7 && $2 + $3 + $4 == 32 } END { exit !good }' || fail "$(cat note)"
corpus -o again --threads 3
cmp list again
corpus -o all --first 100000
corpus -o few --first 0 --best 3
test "$(wc -c < few)" -lt "$(wc -c < list)"
corpus -o none --first 0 --threshold 1

# All words: what is there without a list, whatever the search and the weights.
for options in "-b 5 --n-best 3" "-b 1" "-b 3 --beam-rule shrinking --scores" \
    "-b 4 --compute-type int8 --scores" "-b 4 --compute-type bf16 --scores" "-b 3 -m m.gguf m.gguf --scores"; do
    # shellcheck disable=SC2086
    translate -m m.gguf $options > without
    # shellcheck disable=SC2086
    translate -m m.gguf $options --shortlist all | cmp - without || fail "$options"
done

# Attention is that of the translation, and a limit of memory counts the copied rows.
translate -m m.gguf -b 1 --attention without.att > without
translate -m m.gguf -b 1 --attention with.att --shortlist all | cmp - without
cmp with.att without.att
train wide.gguf --after 1u --syntax none --dim-emb 256
"$DRAGOMAN" shortlist -q -m wide.gguf -t data/train.en data/train.de -o wide.all --first 100000
need() {
    "$DRAGOMAN" translate -m wide.gguf --trees none --log-level debug "$@" < data/test.en 2>&1 > /dev/null |
        sed -n 's/.*memory: the work takes \([0-9.]*\) MiB/\1/p'
}
without=$(need) with=$(need --shortlist wide.all)
awk "BEGIN { exit !($with > $without) }" || fail "$with MiB with a list, $without without one"

# Few words: others than without, the same for a line alone, on any number of threads.
cat data/test.en data/test.en data/test.en > many.en
for type in f32 int8 bf16; do
    with() { "$DRAGOMAN" translate -q --trees none -m m.gguf --compute-type $type --shortlist few --scores "$@"; }
    with -b 5 < many.en > few.de
    translate -m m.gguf --compute-type $type --scores > without
    head -n 20 few.de | cmp -s - without && { echo 'the list does nothing'; exit 1; }
    with -b 5 --threads 1 --batch-tokens 1 < many.en | cmp - few.de
    with -b 5 --threads 3 --batch-tokens 50 < many.en | cmp - few.de
    head -n 4 many.en | while read -r line; do echo "$line" | with -b 5; done > alone.de
    head -n 4 few.de | cmp - alone.de
done

# Names stay: a source word may become the same word, though nothing is a translation of it.
translate -m m.gguf --shortlist none -b 2 > none.de
test "$(wc -l < none.de)" = 20

# Recurrent decoders, and decoders behind trees.
for kind in "--encoder sequential --decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none" \
    "--decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none" "--syntax shaw"; do
    # shellcheck disable=SC2086
    train k.gguf --overwrite --after 2u $kind
    "$DRAGOMAN" shortlist --quiet -m k.gguf -t data/train.en data/train.de -o k.all --first 100000
    for type in f32 int8 bf16; do
        "$DRAGOMAN" translate -q -m k.gguf --trees data/test.en.conllu --compute-type $type \
            < data/test.en > k.de
        "$DRAGOMAN" translate -q -m k.gguf --trees data/test.en.conllu --compute-type $type \
            --shortlist k.all < data/test.en | cmp - k.de || fail "$kind: $type"
    done
done

# A table of another program, in the model's pieces.
cat > table <<'END'
der the 0.4
die the 0.3
NULL the 0.3
nothing-like-it the 0.1
END
shortlist --lexical-table table -o from-table --first 4
translate -m m.gguf --shortlist from-table > table.de
test "$(wc -l < table.de)" = 20
briefly 3 'table:1: .*fewer than three fields' sh -c 'echo der the > bad-table; "$0" \
    shortlist -q -m m.gguf --lexical-table bad-table -o x' "$DRAGOMAN"
briefly 3 'probability "lots"' sh -c 'echo der the lots > bad-table; "$0" \
    shortlist -q -m m.gguf --lexical-table bad-table -o x' "$DRAGOMAN"
briefly 3 'no line with two tokens' sh -c 'echo a-b c-d 1 > bad-table; "$0" \
    shortlist -q -m m.gguf --lexical-table bad-table -o x' "$DRAGOMAN"

# What cannot be is said, and writes nothing.
briefly 2 'nothing to learn from' shortlist -o x
briefly 2 'pairs with --lexical-table' shortlist --lexical-table table --pairs 7 -o x
briefly 2 'stands twice' "$DRAGOMAN" translate -m m.gguf --shortlist -
briefly 2 'stands twice' "$DRAGOMAN" translate -m m.gguf -i data/test.en --trees - --shortlist -
"$DRAGOMAN" train-parser -q -m parser.gguf -t data/train.en.conllu --valid-sets data/dev.en.conllu \
    --dim-emb 16 --dim-lstm 16 --enc-depth 1 --after 1u
briefly 4 'parser.gguf.*a parser alone' "$DRAGOMAN" shortlist -q -m parser.gguf -t data/train.en data/train.de -o x
briefly 4 'parser.gguf.*a parser alone' translate -m parser.gguf
# An output that cannot be made is said before anything is read.
briefly 1 'nowhere/x' shortlist -t no-file no-file -o nowhere/x
briefly 2 'two sources' corpus --lexical-table table -o x
briefly 2 'needs --output' corpus
briefly 2 'needs --model' "$DRAGOMAN" shortlist -t data/train.en data/train.de -o x
briefly 2 'expected two' shortlist -t data/train.en -o x
briefly 2 'm.gguf' corpus -o m.gguf
briefly 2 'train.en' corpus -o data/train.en
briefly 3 'lines' shortlist -t data/train.en data/test.de -o x
briefly 2 'best' corpus -o x --best 0
briefly 2 'threshold' corpus -o x --threshold 2
briefly 4 'words' sh -c 'echo words > words; "$0" shortlist -q -m words -t data/train.en data/train.de -o x' "$DRAGOMAN"
briefly 3 'm.gguf.*no shortlist' translate -m m.gguf --shortlist m.gguf
briefly 3 'nowhere' translate -m m.gguf --shortlist nowhere
head -c 300 list > cut
briefly 3 'cut.*expected a file that' translate -m m.gguf --shortlist cut
train other.gguf --after 1u --bpe-merges 70 --syntax none
briefly 4 'list.*made for a.* vocabulary' translate -m other.gguf --shortlist list
briefly 2 'shortlist' "$DRAGOMAN" rescore -m m.gguf --shortlist list data/test.en data/test.de
test ! -e x

# Where a device of another kind is, it finds the same.
if "$DRAGOMAN" devices | grep -q '^      usable with --devices [0-9]'; then
    translate -m m.gguf -b 3 --shortlist few > cpu.de
    translate -m m.gguf -b 3 --shortlist few --devices opencl > opencl.de
    test "$(diff cpu.de opencl.de | grep -c '^<')" -le 2
fi
"$DRAGOMAN" translate -m m.gguf --shortlist list --dump-config | grep -q '^shortlist = .*list'
