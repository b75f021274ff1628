# attention.sh: translate --attention writes a line for each line, the same bytes with any batch and
# any number of threads; draw attention draws them; trees come from a head that is a parser.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 5 --test 20
demo bpe-merges=80 after=15u train-trees=data/train.en.conllu
valid_on=
train m.gguf --syntax 'deps-san(layers=1)+lisa(layer=2)'
train plain.gguf --syntax none
translate() { "$DRAGOMAN" translate -q -m m.gguf --trees none -b 2 --max-length-factor 1 "$@"; }

{ head -n 3 data/test.en; echo; sed -n '4,20p' data/test.en; } > in.en
{ awk -v RS= -v ORS='\n\n' 'NR <= 3' data/test.en.conllu
  printf '# blank\n\n'
  awk -v RS= -v ORS='\n\n' 'NR > 3' data/test.en.conllu; } > in.conllu
all='--attention-kinds all --attention-layers all --attention-heads all'
translate < in.en > plain.de
translate --attention cross.json < in.en | cmp - plain.de
test "$(wc -l < cross.json)" = 21
test "$(grep -c '"kind":"cross","layer":2,"head":"mean"' cross.json)" = 20
test "$(grep -c '"heads":' cross.json)" = 0
sed -n 4p cross.json | grep -q '^{"line":4,"source":{"words":\[\],.*"attention":\[\]}$'

# Trees are in the file, and in the weights; every byte is the same whatever the batches are.
translate --trees in.conllu --attention all.json $all < in.en > tree.de
test "$(grep -c '"heads":' all.json)" = 20
grep -q '"kind":"encoder","layer":1,"head":0' all.json
grep -q '"kind":"decoder","layer":2,"head":1' all.json
translate --trees in.conllu --attention one.json $all -j 1 --batch-tokens 1 --maxi-batch 1 \
    < in.en > /dev/null
cmp all.json one.json
translate --trees in.conllu --attention three.json $all -j 3 --maxi-batch 7 < in.en > /dev/null
cmp all.json three.json
translate --attention some.json --attention-kinds encoder,cross --attention-layers 1-2 \
    --attention-heads 1 < in.en > /dev/null
test "$(head -n 1 some.json | grep -o '"kind"' | wc -l)" = 4

# What is not there is refused before anything is translated.
unwritten() { ends 2 '' translate -i in.en --attention bad.json "$@"; }
unwritten --attention-kinds other
unwritten --attention-layers 3
unwritten --attention-layers 2-1
unwritten --attention-heads 99
unwritten -m m.gguf m.gguf
unwritten -o bad.json
test ! -e bad.json
# Nothing is written without a file, whatever is chosen on the command line; a variable may serve other runs.
for which in '--attention-kinds all' '--attention-layers all' '--attention-heads 0'; do
    ends 2 "${which% *} goes with --attention, which is not given" translate -i in.en $which
done
DRAGOMAN_ATTENTION_HEADS=0 translate < in.en | cmp - plain.de
# Nor is anything overwritten that the run reads, or the other output by another name.
unwritten --attention m.gguf
unwritten --attention in.conllu --trees in.conllu
unwritten -o m.gguf
unwritten -o in.conllu --trees in.conllu
: > same
unwritten -o same --attention ./same
cp in.conllu auto
translate -o auto < in.en
cmp auto plain.de

# Pictures of all that was written.
draw() { "$DRAGOMAN" draw attention -q -i all.json "$@"; }
draw > all.txt
test "$(grep -c '^line ' all.txt)" = "$(grep -o '"kind"' all.json | wc -l)"
draw -n 2 -k encoder -l 1 --head 0 -o map.svg
test "$(grep -c '<svg' map.svg)" = 1
words=$(sed -n 2p in.en | wc -w)
test "$(grep -c '<title>.*</title></rect>' map.svg)" = $(((words + 1) * (words + 1)))
if command -v xmllint > /dev/null; then xmllint --noout map.svg; fi

# Trees of the head that is a parser: the same whatever the batches are, and true trees.
parse() { "$DRAGOMAN" parse -q -m m.gguf "$@"; }
parse -f tokens --prob row < in.en > head.conllu 2> err
"$DRAGOMAN" parse -m m.gguf -f tokens < in.en 2>&1 > /dev/null | grep -q 'needs a tree of each line, and parses without'
parse -f tokens --prob row -j 3 --immediate < in.en | cmp - head.conllu
parse -f tokens --prob row --from-attention < in.en | cmp - head.conllu
"$DRAGOMAN" convert trees --allow-empty -i head.conllu > /dev/null
parse -f tokens < data/test.en > test.conllu
"$DRAGOMAN" parse-eval data/test.en.conllu test.conllu | grep -q UAS
test "$(awk -F '\t' '$7 == 0 && $8 == "root"' head.conllu | wc -l)" = 20
test "$(awk -F '\t' 'NF == 10 && $7 != 0 && $8 != "dep"' head.conllu | wc -l)" = 0
parse -f conllu < data/test.en.conllu | cut -f 7 > again
grep -v '^#' test.conllu | cut -f 7 > heads
grep -v '^#' again | cmp - heads
refuse 4 'lisa or dbsa' parse -q -m plain.gguf -i in.en
ends 2 prob parse --prob marginal -i in.en

# A parser inside comes first, unless the attention is asked for.
parser p.gguf data/train.en.conllu --after 5u
train both.gguf --syntax 'lisa(layer=2)' --parser p.gguf
"$DRAGOMAN" parse -q -m p.gguf -f tokens < in.en > inside.conllu
"$DRAGOMAN" parse -q -m both.gguf -f tokens < in.en | cmp - inside.conllu
"$DRAGOMAN" parse -q -m both.gguf -f tokens --from-attention < in.en > both.conllu
grep -q 'dep' both.conllu
differ both.conllu inside.conllu
refuse 4 '' parse -q -m p.gguf --from-attention -i in.en
