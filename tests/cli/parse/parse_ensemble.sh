# parse_ensemble.sh: several parsers decide together: parse and annotate -m A B C. What one parser
# gives twice, it gives once; threads, batches and neighbours change no byte; misfits are refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

generate data --seed 3 --train 150 --dev 60 --test 60
printf 'dim-lstm = 12\ndim-piece = 8\ndim-piece-lstm = 8\n' > any.conf
learn() {
    model=$1 file=$2
    shift 2
    "$DRAGOMAN" train-parser --quiet --config any.conf --model "$model" --train-sets "$file" --enc-depth 1 \
        --dim-emb 16 --dim-arc 16 --dim-label 8 --dim-tag 8 --lr 0.02 --warmup 5 \
        --batch-tokens 200 --after 40u --columns all --max-length 30 "$@"
}
learn a.gguf data/train.en.conllu --tokenizer
learn b.gguf data/train.en.conllu --seed 2 --dim-emb 24 --dim-lstm 16 --pieces subwords --bpe-merges 40 --tag-input
learn c.gguf data/train.en.conllu --seed 3 --encoder transformer --transformer-heads 2 --transformer-dim-ffn 16 --pieces none
# The same classes, and other ones first: names decide, not numbers.
awk 'BEGIN { RS = ""; ORS = "\n\n" } { print } /\tADJ\t/ { print; print; print }' data/train.en.conllu > adjectives.conllu
learn d.gguf adjectives.conllu --seed 4
parse() { "$DRAGOMAN" parse -q -f tokens -i data/test.en "$@"; }

# ---- one and many ---------------------------------------------------------------------------

for prob in none row marginal; do
    for more in '' --projective; do
        parse -m b.gguf --prob $prob $more > once
        parse -m b.gguf b.gguf --prob $prob $more | cmp - once
        parse -m b.gguf b.gguf b.gguf --prob $prob $more | cmp - once
    done
done
"$DRAGOMAN" parse -q -f conllu --retag -m b.gguf -i data/test.en.conllu > once
"$DRAGOMAN" parse -q -f conllu --retag -m b.gguf b.gguf -i data/test.en.conllu | cmp - once
"$DRAGOMAN" parse -q -f conllu -m b.gguf -i data/test.en.conllu > once # tags are given
"$DRAGOMAN" parse -q -f conllu -m b.gguf b.gguf -i data/test.en.conllu | cmp - once

parse -m a.gguf b.gguf c.gguf d.gguf --prob row --threads 1 > all
for one in a b c d; do
    parse -m $one.gguf --prob row > one
    differ one all
done
cat data/train.en data/train.en data/train.en > long.en
"$DRAGOMAN" parse -q -f tokens -m a.gguf b.gguf c.gguf d.gguf -i long.en --threads 1 > long
for options in '--threads 2' '--threads 2 --batch-tokens 900' '--batch-tokens 1' --immediate '--threads 3 --batch-tokens 4000'; do
    "$DRAGOMAN" parse -q -f tokens -m a.gguf b.gguf c.gguf d.gguf -i long.en $options | cmp - long
done
head -n 20 data/test.en | "$DRAGOMAN" parse -q -f tokens -m a.gguf b.gguf c.gguf d.gguf --prob row > part
head -n "$(wc -l < part)" all | cmp - part
parse -m a.gguf -m b.gguf c.gguf --path d.gguf --prob row | cmp - all
printf 'model = a.gguf b.gguf c.gguf d.gguf\n' > models.conf
parse --config models.conf --prob row | cmp - all
parse -m a.gguf b.gguf --compute-type int8 > int8
"$DRAGOMAN" quantize b.gguf -o b8.gguf 2> note
parse -m a.gguf b8.gguf > mixed
test "$(grep -c root mixed)" = "$(grep -c root int8)"

# What many agree on wins over one, and columns are as together as trees.
parse -m c.gguf > one
parse -m c.gguf d.gguf d.gguf d.gguf d.gguf d.gguf > five
parse -m d.gguf > other
count() { paste "$1" "$2" | awk -F '\t' 'NF == 20 && ($3 != $13 || $4 != $14 || $6 != $16 || $7 != $17 || $8 != $18)' | wc -l; }
test "$(count five other)" -lt "$(count five one)" || fail 'one parser outweighs five'

# ---- text, pipes, values --------------------------------------------------------------------

"$DRAGOMAN" parse -q -m a.gguf c.gguf --ranges -i data/test.en > own
grep -q TokenRange own || fail 'the first parser does not cut text'
printf 'the old ball \nan aunt sings .' > two
"$DRAGOMAN" parse -q -m a.gguf c.gguf --split document < two | grep -q '^# newpar'
refuse 4 'not learned to cut' parse -m c.gguf a.gguf --tokenizer own
"$DRAGOMAN" annotate -q -f tokens -m a.gguf b.gguf c.gguf d.gguf --to conllu -i data/test.en > values
parse -m a.gguf b.gguf c.gguf d.gguf | cmp - values
"$DRAGOMAN" annotate -q -f tokens -m a.gguf b.gguf c.gguf d.gguf --to labels -i data/test.en > labels
awk -F '\t' 'NF == 10 { printf "%s%s", n++ ? " " : "", $8 } /^$/ { print ""; n = 0 }' values | cmp - labels
mkfifo question answer
"$DRAGOMAN" parse -q -f tokens -m a.gguf b.gguf < question > answer & pid=$!
exec 3> question 4< answer
for word in she sings; do
    echo $word >&3
    read -r comment <&4
    read -r comment <&4
    case $comment in *"$word") ;; *) fail "at a pipe: $comment" ;; esac
    read -r row <&4
    read -r blank <&4
done
exec 3>&- 4<&-
wait $pid
# The longest sentence is one that all read.
learn short.gguf data/train.en.conllu --max-length 6 --after 2u
echo 'an aunt sings an old song .' | "$DRAGOMAN" parse -f tokens -m a.gguf short.gguf 2> err > out
grep -q '7 words, the parser reads 6: parsed in parts' err || fail "a sentence that one cannot read: $(cat err)"
root=$(awk -F '\t' '$7 == "0" { print $1 }' out)
grep -q "^7	\.	.*	$root	" out || fail "a sentence that one cannot read: $(cat out)"

# ---- models of translation ------------------------------------------------------------------

mt() {
    "$DRAGOMAN" train --quiet --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 16 \
        --transformer-dim-ffn 16 --transformer-heads 2 --after 2u --train-sets data/train.en data/train.de "$@"
}
mt --model inside.gguf --syntax 'deps-san(layers=1,sigma=1)' --parser b.gguf
mt --model head.gguf --syntax 'lisa(layer=1)' --train-trees data/train.en.conllu
mt --model plain.gguf
parse -m a.gguf b.gguf > out
parse -m a.gguf inside.gguf | cmp - out
refuse 2 'an attention head, and 1 more' parse -m head.gguf a.gguf
refuse 4 'head.gguf: .*no parser inside' parse -m a.gguf head.gguf
refuse 4 'plain.gguf: .*no parser inside' parse -m a.gguf plain.gguf
refuse 2 'the attention of 2 models' parse -m inside.gguf a.gguf --from-attention
refuse 2 'the attention of 2 models' parse -m inside.gguf a.gguf --source data/test.en

# ---- wrong use, misfits ---------------------------------------------------------------------

sed 's/\tadvmod\t/\tadvmod:x\t/' data/train.en.conllu > other.conllu
learn relations.gguf other.conllu --after 2u
awk 'BEGIN { FS = OFS = "\t" } $4 == "ADJ" && !done { $4 = "SYM"; done = 1 } { print }' data/train.en.conllu > other.conllu
learn tags.gguf other.conllu --after 2u
awk 'BEGIN { FS = OFS = "\t" } NF == 10 && !done { $6 = "Mood=Odd"; done = 1 } { print }' data/train.en.conllu > other.conllu
learn feats.gguf other.conllu --after 2u
learn trees.gguf data/train.en.conllu --columns lemma --after 2u
head -c 3000 b.gguf > cut.gguf
for command in parse annotate; do
    refuse 2 'no parser among 0 models in .*; expected --models FILE' $command
    refuse 2 'expected --models with 1..16' $command -m a.gguf a.gguf a.gguf a.gguf a.gguf a.gguf a.gguf a.gguf a.gguf \
        a.gguf a.gguf a.gguf a.gguf a.gguf a.gguf a.gguf a.gguf
    refuse 4 'none.gguf: .*No such file' $command -m a.gguf none.gguf
    refuse 4 'cut.gguf' $command -m a.gguf cut.gguf
    refuse 2 'data/test.en: .*not a model' $command -m a.gguf data/test.en
    refuse 4 'relations.gguf: .*relation "advmod", which the first parser knows' $command -m a.gguf relations.gguf
    refuse 4 'a.gguf: .*lacks relation "advmod:x"' $command -m relations.gguf a.gguf
    refuse 4 'tags.gguf: .*knows UPOS "SYM", which the first parser lacks' $command -m a.gguf c.gguf tags.gguf
done
refuse 4 'feats.gguf: .*FEATS' parse -m a.gguf feats.gguf
refuse 4 'trees.gguf: .*not learned FEATS' parse -m a.gguf trees.gguf
refuse 4 'trees.gguf: .*not learned FEATS' annotate -m a.gguf trees.gguf --to conllu
# What is not written is not compared, and of a later parser only what the first has.
parse -m a.gguf feats.gguf --columns upos,lemma,head,deprel > out
parse -m a.gguf trees.gguf --columns lemma > out
parse -m trees.gguf a.gguf > out
"$DRAGOMAN" annotate -q -f tokens -m a.gguf trees.gguf -i data/test.en > out

# ---- treebanks ------------------------------------------------------------------------------

# All imitate the treebank that is named; numbers of treebanks may differ.
learn xy.gguf data/train.en.conllu --train-sets adjectives.conllu --treebanks x,y --seed 5
learn yx.gguf adjectives.conllu --train-sets data/train.en.conllu --treebanks y,x --seed 6
parse -m xy.gguf yx.gguf --treebank x --prob row > x
parse -m xy.gguf yx.gguf --prob row | cmp - x
parse -m xy.gguf yx.gguf --treebank y --prob row > y
differ x y
parse -m yx.gguf yx.gguf --treebank x --prob row > out
parse -m yx.gguf --treebank x --prob row | cmp - out
refuse 4 'model 2 tells no treebanks apart' parse -m xy.gguf a.gguf
refuse 4 'model 2 tells its treebanks apart, the first one does not' parse -m a.gguf xy.gguf
learn xz.gguf data/train.en.conllu --train-sets adjectives.conllu --treebanks x,z --after 2u
refuse 4 'model 2: treebank "y"' parse -m xy.gguf xz.gguf --treebank y

# ---- the environment ------------------------------------------------------------------------

# A variable has the name of an option, or the one that it had before.
parse -m a.gguf > out
DRAGOMAN_MODELS=a.gguf parse | cmp - out
DRAGOMAN_MODEL=a.gguf parse | cmp - out
