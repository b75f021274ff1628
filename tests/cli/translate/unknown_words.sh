# unknown_words.sh: words that a model has no entry for are counted and told, by translate and
# rescore, for each line and at the end, on any number of threads; a line of words becomes an empty
# one with --allow-empty alone; where the model has nothing to say, its source is copied.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 7 --train 60 --dev 5 --test 12
small after=1u save-freq=1u valid-freq=1u max-length=60 bpe-merges=0
train m.gguf

# ---- what is said --------------------------------------------------------------------------------

printf 'zxq wvu\n\n%s\nqqq\n' "$(head -n 1 data/train.en)" > in
words=$(wc -w < in)
"$DRAGOMAN" translate -m m.gguf -i in -o out 2> log
said "warning: 3 of $words words are not in the vocabulary of this model, and read as <unk>\$"
"$DRAGOMAN" translate -m m.gguf -i in -j 3 --batch-tokens 1 --maxi-batch 1 2> log | cmp - out
said "warning: 3 of $words words are not"
"$DRAGOMAN" translate -m m.gguf m.gguf -i in 2> log > both
test "$(grep -c ' words are not in the vocabulary of this model' log)" = 1
# Few are a note, none is nothing.
{ cat data/train.en; echo zxq; } > few
"$DRAGOMAN" translate -m m.gguf -i few -b 1 2> log > out.few
said "note: 1 of [0-9]* words are not in the vocabulary"
"$DRAGOMAN" translate -m m.gguf -i data/train.en -b 1 2> log > out.few
silent 'not in the vocabulary'
# Of each line, beside the score and in the attention.
"$DRAGOMAN" translate -q -m m.gguf -i in --scores --attention map > scored
test "$(cut -f 3 scored | tr '\n' ' ')" = '2 0 0 1 '
cut -f 2 scored | cmp - out
# Of an n-best list it is one more feature, between the same bars, and all else is as it was.
"$DRAGOMAN" translate -q -m m.gguf -i in -b 4 --n-best 3 > list
"$DRAGOMAN" translate -q -m m.gguf -i in -b 4 --n-best 3 --scores > scored
test "$(sed -n 's/^\([0-9]\) |||.*||| logp= [^ ]* unknown= \([0-9]*\) ||| [^ ]*$/\1:\2/p' scored | sort -u | tr '\n' ' ')" = \
    '0:2 1:0 2:0 3:1 ' || fail "$(cat scored)"
sed 's/ unknown= [0-9]*//' scored | cmp - list
test "$(sed 's/.*"unknown":\([0-9]*\).*/\1/' map | tr '\n' ' ')" = '2 0 0 1 '
"$DRAGOMAN" draw attention -i map --line 1 -o map.svg
# Of given translations, too.
printf 'yyy\n\nxxx vvv\nuuu\n' > given
"$DRAGOMAN" rescore in given -m m.gguf 2> log > score
said "warning: 3 of $words words are not in the vocabulary"
said "warning: 4 of 4 words of the translations are not in the vocabulary"

# ---- no empty line -------------------------------------------------------------------------------

# Of a word that has no translation in a shortlist, the end is the most probable one.
"$DRAGOMAN" shortlist -q -m m.gguf -t data/train.en data/train.de --first 0 --best 1 --threshold 1 \
    -o none
short() { "$DRAGOMAN" translate -q -m m.gguf -i in --shortlist none "$@"; }
for kind in '-b 5' '-b 1' '-b 4 --beam-rule shrinking' '-b 3 -m m.gguf m.gguf' \
    '-b 5 --compute-type int8' '-b 3 --keep-tokens --penalty none'; do
    # shellcheck disable=SC2086
    test "$(short $kind | grep -n '^$')" = 2: || fail "empty: $kind"
done
short --n-best 5 | grep -v '^1 |||' > list
if grep '|||  |||' list; then fail 'empty: n-best'; fi
short --n-best 5 -j 2 --batch-tokens 1 | grep -v '^1 |||' | cmp - list
# Who asks for them has them, and what ends later is as it was.
short --allow-empty | grep -c '^$' > count
test "$(cat count)" -gt 1
short --allow-empty --n-best 5 | grep -q '^0 |||  |||'

# ---- what a translation says ---------------------------------------------------------------------

# Of pieces of SentencePiece no mark, unless it is asked for; of words <unk>, unless it is not.
"$DRAGOMAN" spm train -q -V 60 --character-coverage 0.7 -o pieces.model data/train.en data/train.de
learn() { # MODEL OPTION...
    model=$1
    shift
    "$DRAGOMAN" train -q -t data/train.en data/train.de --after 12u --lr 0.03 --warmup 1 --enc-depth 1 --dec-depth 1 \
        --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 --batch-tokens 150 -m $model "$@"
}
learn pieces.gguf --spm pieces.model
learn words.gguf --tokenize none --bpe-merges 0 --min-freq 9
mark=$(printf '\342\201\207')
printf '%s\n' 'two black dogs' 'a man and a rope' 'the old dog jumps' > lines
translate() { "$DRAGOMAN" translate -q "$@" -i lines -b 5 --n-best 5 --max-length-factor 9; }
for model in pieces.gguf words.gguf; do
    shown=$mark
    test $model = pieces.gguf || shown='<unk>'
    translate -m $model --allow-unk > allowed
    grep -q "$shown" allowed || fail "$model: no mark to be barred"
    translate -m $model --no-allow-unk > barred
    if grep -q "$shown" barred; then fail "$model: a barred mark"; fi
    test "$(cut -d ' ' -f 1 barred | sort -u | wc -l)" = 3 || fail "$model: not all lines are translated"
    want=barred
    test $model = pieces.gguf || want=allowed
    translate -m $model | cmp - $want || fail "$model: another default"
done
