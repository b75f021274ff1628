# multitask.sh: --multitask: a model that learns translations and parses, and tags what it reads by
# itself; from brackets, from dependency trees in a file, from the parser inside.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 5 --train 120 --dev 10 --test 30 --out data > /dev/null

cat > small.conf <<CONF
tokenize = none
bpe-merges = 60
enc-depth = 1
dec-depth = 1
dim-emb = 16
transformer-dim-ffn = 24
transformer-heads = 2
dropout = 0.2
max-length = 150
batch-tokens = 150
lr = 0.01
warmup = 10
after = 30u
save-freq = 7u
valid-freq = 10u
CONF

# start MODEL OPTION...: becomes the trainer, so that a signal reaches it and nothing else.
start() {
    model=$1
    shift
    exec "$DRAGOMAN" train --config small.conf --model "$model" \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de "$@"
}
train() { (start "$@"); }

# refuse STATUS TEXT OPTION...: ends with the status and says the text.
refuse() {
    want=$1 text=$2 rc=0
    shift 2
    train refused.gguf --after 1u "$@" 2> refused || rc=$?
    test $rc = "$want" || { echo "$*: $rc"; cat refused; exit 1; }
    grep -q -e "$text" refused || { cat refused; exit 1; }
}

# A flat tree for each line, none for the third: the shape does not matter here.
awk '{ if (NR == 3) { print "(())"; next }
       printf "(ROOT (S"; for (i = 1; i <= NF; i++) printf " (NP (X w%d))", i; print "))" }' \
    data/train.en > train.mrg

# Brackets: as many parse pairs as trees; any number of threads; killed and resumed: same bytes.
train m.gguf --multitask --train-brackets train.mrg --threads 1 2> log
grep -q 'constituency trees of train.mrg, linearised; 1 of 120 lines' log
grep -q '120 translation pairs, 119 parse pairs' log
train t2.gguf --quiet --multitask --train-brackets train.mrg --threads 2
cmp m.gguf t2.gguf
for pause in 0.05 0.12 0.2; do
    rm -rf killed.gguf killed.gguf.ckpt
    start killed.gguf --quiet --multitask --train-brackets train.mrg --threads 2 & pid=$!
    sleep $pause
    kill -9 $pid 2> /dev/null || true
    wait $pid 2> /dev/null || true
    train killed.gguf --quiet --multitask --train-brackets train.mrg
    cmp m.gguf killed.gguf
done

# A part of the parses, and parses beside batches of translations: any number of threads, killed and
# resumed: same bytes. All of them, mixed, are what nobody has to ask for.
differ() { if cmp -s "$1" "$2"; then echo "$1 and $2 are the same"; exit 1; fi; }
train all.gguf --quiet --multitask --train-brackets train.mrg --multitask-ratio 1 --multitask-batches mixed
cmp m.gguf all.gguf
train part.gguf --multitask --train-brackets train.mrg --multitask-ratio 0.25 2> log
grep -q 'multi-task: 30 parse pairs in an epoch, mixed with translations' log
differ m.gguf part.gguf
beside='--quiet --multitask --train-brackets train.mrg --multitask-ratio 0.5 --multitask-batches beside'
train beside.gguf $beside --threads 1
differ m.gguf beside.gguf
train beside2.gguf $beside --threads 2
cmp beside.gguf beside2.gguf
rm -rf part.gguf part.gguf.ckpt
for updates in 3 11 12 25; do train part.gguf $beside --after ${updates}u; done
train part.gguf $beside
cmp beside.gguf part.gguf
for pause in 0.05 0.12; do
    rm -rf killed.gguf killed.gguf.ckpt
    start killed.gguf $beside --threads 2 & pid=$!
    sleep $pause
    kill -9 $pid 2> /dev/null || true
    wait $pid 2> /dev/null || true
    train killed.gguf $beside
    cmp beside.gguf killed.gguf
done
# Beside, an epoch has the updates of a run without that task; mixed it has more. Without BPE: brackets
# count when merges are learnt.
updates() { awk '/finished after update/ { for (i = 1; i < NF; i++) if ($i == "update") print $(i + 1) + 0 }' "$1"; }
train e1.gguf --after 1e --bpe-merges 0 2> plain.log
train e2.gguf --after 1e --bpe-merges 0 --multitask --train-brackets train.mrg --multitask-batches beside 2> beside.log
train e3.gguf --after 1e --bpe-merges 0 --multitask --train-brackets train.mrg 2> mixed.log
test "$(updates plain.log)" -gt 3
test "$(updates beside.log)" = "$(updates plain.log)"
test "$(updates mixed.log)" -gt "$(updates plain.log)"
grep -q '119 parse pairs in an epoch, beside batches of translations' beside.log
# None at all is a model of two tasks that has learnt one.
train none.gguf --multitask --train-brackets train.mrg --multitask-ratio 0 2> log
grep -q 'multi-task: 0 parse pairs in an epoch' log
rm -rf part.gguf part.gguf.ckpt
train part.gguf $beside --after 7u
for other in '--multitask-ratio 0.4' '--multitask-batches mixed'; do
    rc=0
    train part.gguf $beside $other 2> err || rc=$?
    test $rc = 2
    grep -q 'another setting than "multitask-' err
done

# Other parses are other training data: refused on a resume, by name or in secret.
rm -rf part.gguf part.gguf.ckpt
train part.gguf --quiet --multitask --train-brackets train.mrg --after 7u
sed '5s/.*/(())/' train.mrg > other.mrg
rc=0
train part.gguf --multitask --train-brackets other.mrg 2> err || rc=$?
test $rc = 2
grep -q 'allow-data-change' err
rc=0
train part.gguf --train-trees data/train.en.conllu 2> err || rc=$?
test $rc = 2
grep -q 'multitask' err
train part.gguf --quiet --multitask --train-brackets train.mrg
cmp m.gguf part.gguf

# The file knows: `translate` and `rescore` are asked like those of any model, and a text that is
# spelled like a tag is none.
"$DRAGOMAN" inspect m.gguf | grep -q multitask
"$DRAGOMAN" translate -q -m m.gguf --scores < data/test.en > test.de
test "$(wc -l < test.de)" = 30
"$DRAGOMAN" translate -q -m m.gguf --scores --threads 2 --batch-tokens 1 < data/test.en |
    cmp - test.de
cut -f 2 test.de > words.de
"$DRAGOMAN" rescore data/test.en words.de -q -m m.gguf > scores
test "$(wc -l < scores)" = 30
printf '<TR> the dog <TR>\n\n<PA> the dog <PA>\nthe dog\n' |
    "$DRAGOMAN" translate -q -m m.gguf > odd.de
test "$(wc -l < odd.de)" = 4
test -z "$(sed -n 2p odd.de)"
awk 'BEGIN { for (i = 0; i < 300; i++) printf "the old ball "; print "." }' |
    "$DRAGOMAN" translate -m m.gguf > /dev/null 2> err
grep -q 'the model reads 150: the rest is cut' err
"$DRAGOMAN" average -q -o mean.gguf -i m.gguf m.gguf
cmp m.gguf mean.gguf

# Dependency trees of a file are linearised, and this is said.
train d.gguf --multitask --train-trees data/train.en.conllu 2> log
grep -q 'dependency trees of data/train.en.conllu, linearised; 0 of 120 lines' log
grep -q '120 translation pairs, 120 parse pairs' log

# Attention: the tags are pieces without a word, and what is written can be drawn.
head -n 2 data/test.en > two.en
"$DRAGOMAN" translate -q -m m.gguf --attention two.json < two.en > /dev/null
grep -q '"pieces":\["<TR>",.*,"<TR>","</s>"\],"word_of":\[-1,0,.*,-1,-1\]}' two.json
"$DRAGOMAN" draw attention -i two.json -n 2 -w 1000 > two.txt
for word in $(sed -n 2p two.en); do grep -qF -e "$word" two.txt; done

# The parser's trees are those that `parse` writes, of the source alone also where a file holds both sides.
"$DRAGOMAN" train-parser --quiet --train-sets data/train.en.conllu --min-freq 1 --after 25u \
    --save-freq 25u --warmup 5 --dim-emb 16 --dim-lstm 16 --dim-piece 8 --dim-piece-lstm 8 \
    --enc-depth 1 --dim-arc 16 --dim-label 8 --dim-tag 8 --max-length 30 --model p.gguf
train p1.gguf --multitask --parser p.gguf --threads 1 2> log
grep -q 'dependency trees of the parser' log
train p2.gguf --quiet --multitask --parser p.gguf --threads 2
paste data/train.en data/train.de > both.tsv
paste data/dev.en data/dev.de > dev.tsv
"$DRAGOMAN" train --quiet --config small.conf --model tsv.gguf --tsv --train-sets both.tsv --valid-sets dev.tsv \
    --multitask --parser p.gguf
cmp p1.gguf tsv.gguf
cmp p1.gguf p2.gguf
"$DRAGOMAN" parse -q -m p.gguf -f tokens < data/train.en > parsed.conllu
train file.gguf --quiet --multitask --parser p.gguf --train-trees parsed.conllu
cmp p1.gguf file.gguf
rm -rf part.gguf part.gguf.ckpt
train part.gguf --quiet --multitask --parser p.gguf --after 14u
train part.gguf --quiet --multitask
cmp p1.gguf part.gguf
"$DRAGOMAN" parse -q -m p1.gguf -f tokens < data/train.en | cmp - parsed.conllu
train dry.gguf --multitask --parser p.gguf --dry-run > dry 2> log
grep -q 'a dry run parses nothing' log
train dry.gguf --quiet --multitask --train-brackets train.mrg --dry-run > dry

# An option without a default is missed on resume, as another value is.
train half.gguf --quiet --multitask --train-brackets train.mrg --multitask-ratio 0.5 \
    --multitask-batches beside --after 7u
rc=0
train half.gguf --quiet --multitask --train-brackets train.mrg --multitask-batches beside \
    2> refused || rc=$?
test $rc = 2
grep -q 'trained with "multitask-ratio = 0.5", which is not set now' refused
rc=0
train half.gguf --quiet --multitask --train-brackets train.mrg --multitask-ratio 0.5 \
    2> refused || rc=$?
test $rc = 2
grep -q 'trained with "multitask-batches = beside", which is not set now' refused

# A blank line has a block without words beside it, for whoever reads trees.
for side in en de; do (cat data/train.$side; echo) > blank.$side; done
(cat data/train.en.conllu; printf '# text =\n\n') > blank.conllu
for way in --multitask '--syntax tags(deprel=4)'; do
    # shellcheck disable=SC2086
    "$DRAGOMAN" train --quiet --config small.conf --model blank.gguf --train-sets blank.en blank.de \
        --train-trees blank.conllu --after 1u $way
    rm -rf blank.gguf*
done

# Vocabularies of the user's need the tags and the brackets.
printf 'the 9\n' > plain.dict
refuse 3 'plain.dict: .*no entry <TR>' --multitask --train-brackets train.mrg --vocabs plain.dict \
    --bpe-merges 0
printf '<TR> 9\n<PA> 9\n(ROOT 5\n) 5\n' > tags.dict
refuse 3 'no entry "(S"' --multitask --train-brackets train.mrg --vocabs tags.dict --bpe-merges 0

# What cannot be is refused before training, with file, line and what was expected.
refuse 2 'train-brackets FILE, --train-trees FILE, or --parser FILE' --multitask
refuse 2 'train-brackets needs --multitask' --train-brackets train.mrg
refuse 2 'multitask-ratio needs --multitask' --multitask-ratio 0.5
refuse 2 'multitask-batches needs --multitask' --multitask-batches beside
refuse 2 'multitask-ratio' --multitask --train-brackets train.mrg --multitask-ratio 1.5
refuse 2 'multitask-ratio' --multitask --train-brackets train.mrg --multitask-ratio x
refuse 2 'multitask-batches' --multitask --train-brackets train.mrg --multitask-batches besides
refuse 2 'multitask with --syntax' --multitask --train-trees data/train.en.conllu \
    --syntax 'deps-san(layers=1)'
sed '7s/)$//' train.mrg > bad.mrg
refuse 3 'bad.mrg:7:.*expected ")"' --multitask --train-brackets bad.mrg
sed '7s/$/)/' train.mrg > bad.mrg
refuse 3 'bad.mrg:7:.*expected' --multitask --train-brackets bad.mrg
sed 7d train.mrg > short.mrg
refuse 3 'short.mrg: .*119 trees; expected 120' --multitask --train-brackets short.mrg
refuse 3 'E_ALIGN' --multitask --train-trees data/dev.en.conllu
