# resume_data.sh: `train` and `train-parser` go on where the text became shorter
# (--allow-data-change): the epoch begins again, and says so; 200 -> 190 lines, 200 -> 20, 8000 ->
# 7000 as they once crashed.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 8000 --dev 10 --test 10

learn_texts() { (start "$@"); }
learn_trees() {
    model=$1
    shift
    "$DRAGOMAN" train-parser -m "$model" --enc-depth 1 --dim-emb 16 --dim-lstm 12 --dim-piece 8 \
        --dim-piece-lstm 8 --dim-arc 16 --dim-label 8 --dim-tag 8 --warmup 5 \
        --batch-tokens 200 --save-freq 100u --max-length 30 --train-sets text.conllu "$@"
}
small bpe-merges=0 min-freq=50 dim-emb=8 transformer-dim-ffn=8 save-freq=100u
# cut LINES: the first lines of the text, and the first so many of its trees.
cut_text() {
    head -n $1 data/train.en > text.en
    head -n $1 data/train.de > text.de
    awk -v n=$1 'BEGIN { RS = ""; ORS = "\n\n" } NR <= n' data/train.en.conllu > text.conllu
}
# change FROM TO UPDATES: a run of so many updates on a text of FROM lines goes on with TO lines.
change() {
    for what in learn_texts learn_trees; do
        rm -rf m.gguf*
        cut_text $1
        $what m.gguf --quiet --after "$3u"
        cut_text $2
        ends 2 allow-data-change $what m.gguf --after "$(($3 + 5))u"
        $what m.gguf --after "$(($3 + 5))u" --allow-data-change 2> log || fail "$(cat log)"
        grep -q 'epoch [0-9]* begins' log || fail "$what does not say what it does: $(cat log)"
    done
}
valid_on= train_on='--train-sets text.en text.de --batch-tokens 150'
change 200 190 15
change 200 20 15
train_on='--train-sets text.en text.de --batch-tokens 4000'
change 8000 7000 18
