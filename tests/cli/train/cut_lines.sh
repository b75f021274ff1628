# cut_lines.sh: a line of more than 16 MiB is cut; train, translate and rescore say so, the quiet as
# well.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
awk 'BEGIN { for (i = 0; i < 17; i++) printf "a b\n" }' > source
cp source target
awk 'BEGIN { for (i = 0; i < 1200000; i++) printf "abcdefgh abcdef"; print "" }' > long
cat source long > source.long
cat target target > some && head -n 18 some > target.long
"$DRAGOMAN" train -q --train-sets source.long target.long --model m.gguf --tokenize none --bpe-merges 0 --dim-emb 8 \
    --transformer-heads 1 --transformer-dim-ffn 8 --enc-depth 1 --dec-depth 1 --max-length 5 --after 1u 2> log
said 'warning: source.long:18: line cut at 16777216 bytes'
"$DRAGOMAN" translate -q -m m.gguf < long > out 2> log
said 'warning: .*:1: line cut at 16777216 bytes'
head -n 1 source > one
"$DRAGOMAN" rescore -q one long --models m.gguf > out 2> log
said 'warning: long:1: line cut at 16777216 bytes'
