# multitask.sh: --multitask: a model that learns translations and parses, and tags what it reads by
# itself; from brackets, from dependency trees in a file, from the parser inside.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 10 --test 30

small dropout=0.2 max-length=150 after=30u save-freq=7u valid-freq=10u

# A flat tree for each line, none for the third: the shape does not matter here.
awk '{ if (NR == 3) { print "(())"; next }
       printf "(ROOT (S"; for (i = 1; i <= NF; i++) printf " (NP (X w%d))", i; print "))" }' \
    data/train.en > train.mrg

# Brackets: as many parse pairs as trees; any number of threads; killed and resumed: same bytes.
train m.gguf --multitask --train-brackets train.mrg --threads 1
said 'constituency trees of train.mrg, linearised; 1 of 120 lines'
said '120 translation pairs, 119 parse pairs'
train t2.gguf --quiet --multitask --train-brackets train.mrg --threads 2
cmp m.gguf t2.gguf
for pause in 0.05 0.12 0.2; do
    rm -rf killed.gguf killed.gguf.ckpt
    killed $pause start killed.gguf --quiet --multitask --train-brackets train.mrg --threads 2
    train killed.gguf --quiet --multitask --train-brackets train.mrg
    cmp m.gguf killed.gguf
done

# A part of the parses, and parses beside batches of translations: any number of threads, killed and
# resumed: same bytes. All of them, mixed, are what nobody has to ask for.
train all.gguf --quiet --multitask --train-brackets train.mrg --multitask-ratio 1 --multitask-batches mixed
cmp m.gguf all.gguf
train part.gguf --multitask --train-brackets train.mrg --multitask-ratio 0.25
said 'multi-task: 30 parse pairs in an epoch, mixed with translations'
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
    killed $pause start killed.gguf $beside --threads 2
    train killed.gguf $beside
    cmp beside.gguf killed.gguf
done
# Beside, an epoch has the updates of a run without that task; mixed it has more. Without BPE: brackets
# count when merges are learnt.
updates() { awk '/finished after update/ { for (i = 1; i < NF; i++) if ($i == "update") print $(i + 1) + 0 }' "$1"; }
train e1.gguf --after 1e --bpe-merges 0
mv log plain.log
train e2.gguf --after 1e --bpe-merges 0 --multitask --train-brackets train.mrg --multitask-batches beside
mv log beside.log
train e3.gguf --after 1e --bpe-merges 0 --multitask --train-brackets train.mrg
mv log mixed.log
test "$(updates plain.log)" -gt 3
test "$(updates beside.log)" = "$(updates plain.log)"
test "$(updates mixed.log)" -gt "$(updates plain.log)"
grep -q '119 parse pairs in an epoch, beside batches of translations' beside.log
# None at all is a model of two tasks that has learnt one.
train none.gguf --multitask --train-brackets train.mrg --multitask-ratio 0
said 'multi-task: 0 parse pairs in an epoch'
rm -rf part.gguf part.gguf.ckpt
train part.gguf $beside --after 7u
for other in '--multitask-ratio 0.4' '--multitask-batches mixed'; do
    ends 2 'another setting than "multitask-' start part.gguf $beside $other
done

# Other parses are other training data: refused on a resume, by name or in secret.
rm -rf part.gguf part.gguf.ckpt
train part.gguf --quiet --multitask --train-brackets train.mrg --after 7u
sed '5s/.*/(())/' train.mrg > other.mrg
ends 2 'allow-data-change' start part.gguf --multitask --train-brackets other.mrg
ends 2 'multitask' start part.gguf --train-trees data/train.en.conllu
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
    "$DRAGOMAN" translate -m m.gguf --split none > /dev/null 2> err
grep -q 'the model reads 150: the rest is cut' err
"$DRAGOMAN" average -q -o mean.gguf -i m.gguf m.gguf
cmp m.gguf mean.gguf

# Dependency trees of a file are linearised, and this is said.
train d.gguf --multitask --train-trees data/train.en.conllu
said 'dependency trees of data/train.en.conllu, linearised; 0 of 120 lines'
said '120 translation pairs, 120 parse pairs'

# Attention: the tags are pieces without a word, and what is written can be drawn.
head -n 2 data/test.en > two.en
"$DRAGOMAN" translate -q -m m.gguf --attention two.json < two.en > /dev/null
grep -q '"pieces":\["<TR>",.*,"<TR>","</s>"\],"word_of":\[-1,0,.*,-1,-1\],"unknown":[0-9]*}' two.json
"$DRAGOMAN" draw attention -i two.json -n 2 -w 1000 > two.txt
for word in $(sed -n 2p two.en); do grep -qF -e "$word" two.txt; done

# The parser's trees are those that `parse` writes, of the source alone also where a file holds both sides.
parser p.gguf data/train.en.conllu
train p1.gguf --multitask --parser p.gguf --threads 1
said 'dependency trees of the parser'
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
train dry.gguf --multitask --parser p.gguf --dry-run > dry
said 'a dry run parses nothing'
train dry.gguf --quiet --multitask --train-brackets train.mrg --dry-run > dry

# An option without a default is missed on resume, as another value is.
train half.gguf --quiet --multitask --train-brackets train.mrg --multitask-ratio 0.5 \
    --multitask-batches beside --after 7u
ends 2 'trained with "multitask-ratio = 0.5", which is not set now' start half.gguf --quiet --multitask --train-brackets train.mrg --multitask-batches beside
ends 2 'trained with "multitask-batches = beside", which is not set now' start half.gguf --quiet --multitask --train-brackets train.mrg --multitask-ratio 0.5

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
untrained 3 'plain.dict: .*no entry <TR>' --multitask --train-brackets train.mrg --vocabs plain.dict \
    --bpe-merges 0
printf '<TR> 9\n<PA> 9\n(ROOT 5\n) 5\n' > tags.dict
untrained 3 'no entry "(S"' --multitask --train-brackets train.mrg --vocabs tags.dict --bpe-merges 0

# What cannot be is refused before training, with file, line and what was expected.
untrained 2 'train-brackets FILE, --train-trees FILE, or --parser FILE' --multitask
untrained 2 'train-brackets goes with --multitask, which' --train-brackets train.mrg
untrained 2 'multitask-ratio goes with --multitask, which' --multitask-ratio 0.5
untrained 2 'multitask-batches goes with --multitask, which' --multitask-batches beside
untrained 2 'multitask-ratio' --multitask --train-brackets train.mrg --multitask-ratio 1.5
untrained 2 'multitask-ratio' --multitask --train-brackets train.mrg --multitask-ratio x
untrained 2 'multitask-batches' --multitask --train-brackets train.mrg --multitask-batches besides
untrained 2 'multitask with --syntax' --multitask --train-trees data/train.en.conllu \
    --syntax 'deps-san(layers=1)'
sed '7s/)$//' train.mrg > bad.mrg
untrained 3 'bad.mrg:7:.*expected ")"' --multitask --train-brackets bad.mrg
sed '7s/$/)/' train.mrg > bad.mrg
untrained 3 'bad.mrg:7:.*expected' --multitask --train-brackets bad.mrg
sed 7d train.mrg > short.mrg
untrained 3 'short.mrg: .*119 trees; expected 120' --multitask --train-brackets short.mrg
untrained 3 'E_ALIGN' --multitask --train-trees data/dev.en.conllu
