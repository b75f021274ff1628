# other_script.sh: a parser, or a head that is one, tells of text whose words it knows nothing of, once;
# not of words that it can spell.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 4 --train 60 --dev 5 --test 5
parser p.gguf data/train.en.conllu
printf '這 是 一 本 書 .\n\n我 看 。\n' > other
for command in 'parse -f tokens' 'annotate -f tokens' 'parse -f tokens --batch-tokens 1 -j 2'; do
    "$DRAGOMAN" $command -m p.gguf -i other > out 2> log
    said 'warning: 8 of 9 words have no letter or piece that the parser knows'
    test "$(wc -l < log)" = 1
    "$DRAGOMAN" $command -m p.gguf -i data/test.en > out 2> log
    silent 'no letter'
    tr a-y b-z < data/test.en > spelled
    "$DRAGOMAN" $command -m p.gguf -i spelled > out 2> log
    silent 'no letter'
done
"$DRAGOMAN" parse -f tokens -m p.gguf -i other > trees 2> log
"$DRAGOMAN" parse -f conllu -m p.gguf -i trees 2> log > again
said 'warning: 8 of 9 words have no letter'
small after=1u save-freq=1u valid-freq=1u 'syntax=lisa'
train m.gguf --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu
"$DRAGOMAN" parse -f tokens -m m.gguf -i other > out 2> log
said 'warning: 8 of 9 words have no letter or piece that the parser knows'
