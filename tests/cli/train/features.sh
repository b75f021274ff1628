# features.sh: several features of source words: from files of trees and, as far as it has them, from the
# parser inside a model; what is missing, in files and in parsers, is said.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 7 --train 120 --dev 15 --test 20
small max-length=150 after=20u save-freq=10u valid-freq=10u
trees='--train-trees data/train.en.conllu --valid-trees data/dev.en.conllu'
several='tags(lemma=4,upos=2,deprel=3,subword=2)'

# From files: names in the model, another table for each; a run goes on with the same bytes.
train m.gguf --syntax "$several" $trees --threads 1
train t.gguf --syntax "$several" $trees --threads 2
cmp m.gguf t.gguf
train part.gguf --syntax "$several" $trees --after 10u
train part.gguf --syntax "$several" $trees
cmp m.gguf part.gguf
"$DRAGOMAN" inspect m.gguf > info
for key in vocab.tags vocab.lemma vocab.upos; do grep -q "dragoman.$key.*<unk>.*</s>" info || fail "$key"; done
for table in tags lemma upos subword; do grep -q "encoder.embed_$table.weight" info || fail "$table"; done
if grep -q 'xpos.*<unk>' info; then fail "a feature that is not read"; fi

# A lemma that training has once is unknown, and so is one that it has not: the same scores.
"$DRAGOMAN" translate -q -m m.gguf -b 2 --trees data/test.en.conllu < data/test.en > out.de
rescore() { "$DRAGOMAN" rescore data/test.en out.de -m m.gguf "$@" 2> err; }
rescore -q --trees data/test.en.conllu > scores
cut -f 3 data/train.en.conllu | sort | uniq -c | awk '$1 == 1 { print $2 }' > once
awk -F '\t' 'NR == FNR { once[$1]; next } NF == 10 && $3 in once { $3 = "never:seen" } { print }' OFS='\t' \
    once data/test.en.conllu > other.conllu
rescore -q --trees other.conllu | cmp - scores
# Every column counts.
for column in 3 4 8; do
    awk -F '\t' -v c=$column 'NF == 10 { $c = "_" } { print }' OFS='\t' data/test.en.conllu > less.conllu
    rescore --trees less.conllu > less.scores
    if cmp -s less.scores scores; then fail "column $column changes nothing"; fi
    grep -q 'words have no \(lemma\|UPOS tag\|relation\) in less.conllu' err || fail "nothing said of $column"
done
rescore -q --trees none > none.scores
if cmp -s none.scores scores; then fail "features change nothing"; fi

# What files lack.
ends 3 'data/train.en.conllu: error: no word has any XPOS tag; expected one in the XPOS column' \
    start x.gguf --syntax 'tags(xpos=3)' $trees
awk -F '\t' 'NF == 10 { $3 = "_" } { print }' OFS='\t' data/dev.en.conllu > bare.conllu
ends 3 'bare.conllu: error: no word has any lemma; expected one in the LEMMA column of every word' \
    start x.gguf --syntax 'tags(lemma=3)' --train-trees data/train.en.conllu --valid-trees bare.conllu
awk -F '\t' 'NF == 10 && $1 == 2 { $3 = "_" } { print }' OFS='\t' data/dev.en.conllu > holes.conllu
train x.gguf --syntax 'tags(lemma=3)' --train-trees data/train.en.conllu --valid-trees holes.conllu
said 'validation text: 15 of [0-9]* words have no lemma in holes.conllu'

# A parser gives relations and UPOS tags.
parser p.gguf data/train.en.conllu
for set in train dev test; do
    "$DRAGOMAN" parse -q -m p.gguf -f tokens < data/$set.en > $set.conllu
done
train p1.gguf --syntax 'tags(upos=3,deprel=3)' --parser p.gguf
train p2.gguf --syntax 'tags(upos=3,deprel=3)' --parser p.gguf --train-trees train.conllu --valid-trees dev.conllu
cmp p1.gguf p2.gguf
"$DRAGOMAN" translate -q -m p1.gguf --scores < data/test.en > auto.de
"$DRAGOMAN" translate -q -m p1.gguf --scores --trees test.conllu < data/test.en | cmp - auto.de
ends 2 'reads the lemma of each word, and a parser gives none; expected --train-trees FILE with the column LEMMA' \
    start y.gguf --syntax 'tags(lemma=3)' --parser p.gguf
ends 2 'expected --valid-trees FILE with the column LEMMA' \
    start y.gguf --syntax 'tags(lemma=3)' --parser p.gguf --train-trees data/train.en.conllu
train y.gguf --syntax 'tags(lemma=3)' --parser p.gguf $trees
refuse 2 'the model reads the lemma of each word, and the parser inside gives none; expected --trees FILE with the column LEMMA' \
    translate -q -m y.gguf -i data/test.en
"$DRAGOMAN" translate -q -m y.gguf --trees data/test.en.conllu < data/test.en > y.de
test "$(wc -l < y.de)" = 20

# Nobody is sent for a parser in vain.
ends 2 'reads the lemma of each word, and a parser gives none; expected --train-trees FILE' \
    start z.gguf --syntax 'tags(lemma=3)'
ends 2 'reads the XPOS tag of each word, and a parser gives none; expected --train-trees FILE' \
    start z.gguf --syntax 'tags(upos=2,xpos=3)'
ends 2 'expected --train-trees FILE, or --parser FILE to make them' start z.gguf --syntax 'tags(upos=3)'
ends 2 'expected --valid-trees FILE with the column LEMMA' \
    start z.gguf --syntax 'tags(lemma=3)' --train-trees data/train.en.conllu
refuse 2 'the model reads the lemma of each word, and a parser gives none; expected --trees FILE' \
    translate -q -m m.gguf -i data/test.en

# The place of a piece needs no tree; relations have an old spelling and a new one.
train s.gguf --syntax 'tags(subword=3)'
"$DRAGOMAN" translate -q -m s.gguf < data/test.en > s.de
test "$(wc -l < s.de)" = 20
train old.gguf --syntax 'tags(dim=3)' $trees
train new.gguf --syntax 'tags(deprel=3)' $trees
for model in old new; do
    "$DRAGOMAN" translate -q -m $model.gguf --scores --trees data/test.en.conllu < data/test.en > $model.de
done
cmp old.de new.de

# Models of other names are no ensemble; models of other features may be one.
"$DRAGOMAN" translate -q -m old.gguf y.gguf --trees data/test.en.conllu < data/test.en > both.de
test "$(wc -l < both.de)" = 20
