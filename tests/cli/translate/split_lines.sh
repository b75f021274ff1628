# split_lines.sh: lines of several sentences are translated by them, and their results joined: text
# with the blanks of the source, scores and n-best lists, links, attention; what is longer than the
# model reads is cut at clauses, and nothing is lost.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
"$DRAGOMAN" import -q "$SOURCE/tests/cli/model/import/hf-marian" -o m.gguf # reads 80 pieces
translate() { "$DRAGOMAN" translate -q -m m.gguf "$@"; }

# ---- sentences -----------------------------------------------------------------------------------

printf 'a black dog and a spotted dog are fighting.\na black dog jumps!\nthe dogs?\n' > parts
printf '%s  %s %s\n\n' "$(sed -n 1p parts)" "$(sed -n 2p parts)" "$(sed -n 3p parts)" > line
translate -i parts > of.parts
translate -i line --split sentence > of.line
printf '%s  %s %s\n\n' "$(sed -n 1p of.parts)" "$(sed -n 2p of.parts)" "$(sed -n 3p of.parts)" | cmp - of.line
translate -i parts --split sentence | cmp - of.parts
translate -i line --split none > of.whole
differ of.line of.whole
translate -i line | cmp - of.line # it is longer than 25 pieces
echo 'a dog! the dogs?' | translate > short
echo 'a dog! the dogs?' | translate --split none | cmp - short

# Scores are sums, and the n-best list is as long as that of the part with most.
translate -i parts --scores > scores
translate -i line --split sentence --scores | awk -F '\t' '
    NR == FNR { sum += $1; unknown += $3; next }
    FNR == 1 && ((sum - $1) ^ 2 > 1e-9 || unknown != $3) { print "score", $1, sum, unknown, $3; bad = 1 }
    END { exit bad }' scores - || fail 'scores are no sums'
translate -i line --split sentence --n-best 3 > best
test "$(grep -c '^0 |||' best)" = 3
test "$(grep '^0' best | head -n 1 | awk -F ' [|][|][|] ' '{ print $2 }')" = "$(head -n 1 of.line)"

# Links and attention have places of the line.
translate -i parts --alignment links > out
translate -i line --split sentence --alignment line.links > out
test "$(head -n 1 line.links | wc -w)" = "$(cat links | wc -w)"
translate -i line --split sentence --attention map > out
translate -i parts --attention maps > out
test "$(grep -o '"</s>"' map | wc -l)" = "$(grep -o '"</s>"' maps | wc -l)"
"$DRAGOMAN" draw attention -i map --line 1 -o map.svg

# ---- longer than the model reads -----------------------------------------------------------------

awk 'BEGIN { for (i = 0; i < 9; i++) printf "the old dogs are fighting, and a rope"; print "." }' > long
{ cat long parts; cat long line | tr '\n' ' '; } > input
"$DRAGOMAN" translate -m m.gguf -i input -o all 2> log
silent 'is cut'
test "$(wc -l < all)" = 5
tail -n +2 all | head -n 3 | cmp - of.parts
translate -i input -j 3 --batch-tokens 1 --maxi-batch 1 | cmp - all
"$DRAGOMAN" translate -m m.gguf -i long --split none > cut 2> log
said 'line 1 has [0-9]* tokens, the model reads 80: the rest is cut'
"$DRAGOMAN" translate -m m.gguf -i long --max-length-crop 2> log | cmp - cut
said 'the model reads 80: the rest is cut'
translate -i long --attention map > out
differ out cut
test "$(grep -o '"▁old"\|"▁dog"' map | wc -l)" -ge 18 || fail 'words of a long line are lost'
# With a tree of its own it is not split.
printf '1\tthe\t_\tX\t_\t_\t0\troot\t_\t_\n\n' > trees
"$DRAGOMAN" translate -m m.gguf -i long --trees trees 2> log | cmp - cut
said 'the model reads 80: the rest is cut'

# ---- more than a model was trained on ------------------------------------------------------------

generate data --seed 3 --train 60 --dev 5 --test 5
own() { # MODEL SOURCE
    "$DRAGOMAN" train -q -t $2 data/train.de --tokenize none --bpe-merges 0 --after 1u --enc-depth 1 --dec-depth 1 \
        --dim-emb 8 --transformer-dim-ffn 8 --transformer-heads 1 -m $1
    "$DRAGOMAN" inspect $1 > $1.keys
}
own single.gguf data/train.en
grep -q 'training.single-sentences *u32 *1$' single.gguf.keys || fail 'single sentences are not known as such'
# Six of sixty lines have two.
sed '1,6s/^\(..*\) \.$/\1 . The \1 ./' data/train.en > two.en
own several.gguf two.en
if grep -q single-sentences several.gguf.keys; then fail 'a tenth is too much'; fi
mean=$(awk '{ n += NF } END { print int((n + NR - 1) / NR) }' two.en)
grep -q "training.mean-source *u32 *$mean\$" several.gguf.keys || fail "mean $mean: $(grep mean several.gguf.keys)"
for words in 4 $mean $((mean + 1)); do
    # Two sentences, the first of two words.
    awk -v n=$words 'BEGIN { printf "Dogs ."; for (i = 3; i < n; i++) printf " The"; print " ." }' > line
    for model in single several; do
        "$DRAGOMAN" translate -q -m $model.gguf -i line --allow-empty --scores -o auto.$model.$words
        "$DRAGOMAN" translate -q -m $model.gguf -i line --allow-empty --scores --split none -o none.$model.$words
    done
    differ auto.single.$words none.single.$words
done
cmp auto.several.4 none.several.4
cmp auto.several.$mean none.several.$mean || fail 'a line of the mean length was split'
differ auto.several.$words none.several.$words
