# vectors.sh: vectors of words from text, and a parser that reads them: threads, kills and seeds;
# words that the treebank lacks; files that are wrong.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
exec 3>&1 1>&2

# Sentences SUBJECT VERB OBJECT, where nouns and verbs tell by their place alone what they are.
awk 'BEGIN {
    n = split("dogs cats birds fish cows bees", noun, " "); m = split("see hear like eat chase", verb, " ")
    for (i = 0; i < 600; i++)
        printf "The %s often %s the %s .\n", noun[i % n + 1], verb[int(i / 7) % m + 1], noun[(i + int(i / 5)) % n + 1]
}' > text
vectors() { "$DRAGOMAN" vectors train --quiet --dim 12 --window 2 --epochs 8 --lr 0.05 "$@"; }
vectors --threads 1 -o one.vec text
vectors --threads 3 text > three.vec
cmp one.vec three.vec
vectors --seed 2 text > other.vec
if cmp -s one.vec other.vec; then fail 'the seed changes nothing'; fi
head -n 1 one.vec >&3
cut -d ' ' -f 1 one.vec | sed 1d | head -n 4 >&3
awk 'NR > 1 && NF != 13 { exit 1 }' one.vec || fail 'not 12 numbers'
vectors --lower --vocab-size 3 text | cut -d ' ' -f 1,2 | head -n 1 >&3
vectors --min-freq 300 text | head -n 1 >&3
# Packed text, where the program unpacks any.
pack=cat
if gzip -c < text > text.gz 2> /dev/null && "$DRAGOMAN" tok -i text.gz > /dev/null 2>&1; then
    pack=gzip
    vectors text.gz | cmp - one.vec
fi
vectors -i text -o again.vec 2> log
test ! -s log || fail "not quiet: $(cat log)"

# What is there stays until all is done.
cp one.vec kept.vec
printf 'a \377\n' > bad
refuse 3 '^bad:1' vectors train -o kept.vec bad
: > empty
refuse 3 'expected at least 2' vectors train -o kept.vec empty
refuse 2 'expected at least one FILE' vectors train -o kept.vec
refuse 2 'standard input can be read only once' vectors train -o kept.vec -
refuse 2 'dim' vectors train --dim 0 text -o kept.vec
cmp one.vec kept.vec

# ---- a parser -----------------------------------------------------------------------------------

# Half of the nouns and verbs are in the treebank, which has no letters to go by.
awk 'BEGIN {
    split("dogs cats birds", noun, " "); split("see hear like", verb, " ")
    for (i = 1; i <= 3; i++) for (j = 1; j <= 3; j++) for (k = 1; k <= 3; k++) {
        printf "1\t%s\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n", noun[i]
        printf "2\t%s\t_\tVERB\t_\t_\t0\troot\t_\t_\n", verb[j]
        printf "3\t%s\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n\n", noun[k]
        printf "1\t%s\t_\tVERB\t_\t_\t0\troot\t_\t_\n2\t%s\t_\tNOUN\t_\t_\t1\tobj\t_\t_\n\n", verb[j], noun[k]
    }
}' > bank.conllu
trainer=train-parser train_on= valid_on=
settings enc-depth=1 dim-emb=16 dim-lstm=16 pieces=none dim-arc=16 dim-label=8 dim-tag=8 min-freq=1 lr=0.02 \
    warmup=5 after=60u batch-tokens=60 save-freq=9u max-length=40 train-sets=bank.conllu
train p.gguf --vectors one.vec --threads 1
train two.gguf --vectors one.vec --threads 2
cmp p.gguf two.gguf
train part.gguf --vectors one.vec --after 23u
if cmp -s p.gguf part.gguf; then fail 'stopping changes nothing'; fi
ends 2 'trained with other --vectors' start part.gguf --vectors other.vec
ends 2 'which is not set now' start part.gguf
ends 2 'trained with other --vectors' start part.gguf --vectors one.vec \
    --vectors-limit 9
# The default, said now; what counts is which vectors it takes.
train part.gguf --vectors one.vec --vectors-limit 100000
cmp p.gguf part.gguf
train plain.gguf
if cmp -s p.gguf plain.gguf; then fail 'vectors change nothing'; fi
ends 2 'trained without --vectors' start plain.gguf --after 90u \
    --vectors one.vec

# Words that the treebank lacks: their vectors say what they are. The file of vectors is not needed.
mv one.vec moved.vec
printf 'cows eat bees\nChase fish\n' > unseen
"$DRAGOMAN" parse -q -m p.gguf -f tokens -i unseen | cut -f 1,2,4,7,8 >&3
printf 'xxxx eat xxxx\n' > none
"$DRAGOMAN" parse -q -m p.gguf -f tokens -i none > a
printf 'yyyy eat yyyy\n' | "$DRAGOMAN" parse -q -m p.gguf -f tokens | sed 's/yyyy/xxxx/g' | cmp - a
"$DRAGOMAN" inspect p.gguf | grep '  dragoman.parser.vectors\|parser.vectors.weight' | cut -c 1-60 >&3
mv moved.vec one.vec

# A model's file keeps them, however it is made.
"$DRAGOMAN" parse -q -m p.gguf -f tokens -i unseen > want
"$DRAGOMAN" average -q -o mean.gguf p.gguf p.gguf
"$DRAGOMAN" parse -q -m mean.gguf -f tokens -i unseen | cmp - want
"$DRAGOMAN" quantize -q -o small.gguf p.gguf
"$DRAGOMAN" parse -q -m small.gguf -f tokens -i unseen | cut -f 7 > heads
cut -f 7 want | cmp - heads

# The first words only; packed; the first ones are the same in a file that has no others.
train few.gguf --vectors one.vec --vectors-limit 9 --after 5u
{ echo 9 12; sed -n 2,10p one.vec; } | $pack > nine.gz
train nine.gguf --vectors nine.gz --after 5u
tensors() { "$DRAGOMAN" inspect "$1" | grep 'parser\.vectors'; }
test "$(tensors few.gguf)" = "$(tensors nine.gguf)"

# ---- inside a translation model -----------------------------------------------------------------

head -n 40 text | sed 's/ often//; s/ the//' > source
tr 'a-z' 'b-za' < source > target
"$DRAGOMAN" parse -q -m p.gguf -f tokens -i source -o source.conllu
translation() {
    model=$1
    shift
    "$DRAGOMAN" train -q -m "$model" --train-sets source target --tokenize none --bpe-merges 20 \
        --enc-depth 1 --dec-depth 1 --dim-emb 8 --transformer-heads 2 --transformer-dim-ffn 8 \
        --after 6u --save-freq 3u --syntax 'deps-san(layers=1)' "$@"
}
translation m.gguf --parser p.gguf
translation file.gguf --parser p.gguf --train-trees source.conllu
cmp m.gguf file.gguf
# Another parser that has the same weights and other vectors is another parser.
sed '5s/ [^ ]*$/ 0.5/' one.vec > nearly.vec
train nearly.gguf --vectors nearly.vec --after 0u
train exactly.gguf --vectors one.vec --after 0u
translation apart.gguf --parser exactly.gguf --after 3u
refuse 2 'another parser' train -q -m apart.gguf --train-sets source target --tokenize none \
    --bpe-merges 20 --enc-depth 1 --dec-depth 1 --dim-emb 8 --transformer-heads 2 \
    --transformer-dim-ffn 8 --after 6u --save-freq 3u --syntax 'deps-san(layers=1)' --parser nearly.gguf
"$DRAGOMAN" translate -q -m m.gguf -i unseen -o translated
test "$(wc -l < translated)" -eq 2

# ---- what is wrong ------------------------------------------------------------------------------

wrong() {
    printf "$1" > wrong.vec
    untrained 3 "^wrong.vec:$2" --vectors wrong.vec
    test ! -e no.gguf || fail "a model of $1"
}
wrong '3 2\na 1 2\nb 3 4\n' '3: error: the file ends after 2 words; expected 3'
wrong '1 2\na 1 2\nb 3 4\n' '3: error: more words than the 1'
wrong 'a 1 2\nb 3\n' '2: error: 1 numbers behind the word; expected 2'
wrong 'a 1 2\nb 3 nan\n' '2:5: error: "nan"; expected a number from'
wrong 'a 1 2\nb 3 1e9\n' '2:5: error: "1e9"'
wrong 'a 1 2\nb 1 2\na 3 4\n' '3:1: error: word "a" stands in line 1, too'
wrong 'a 1 2\n\377 1 2\n' '2'
wrong '' ' error: no word vectors'
wrong '</s> 1 2\n' ' error: no words but special tokens'
head -c 140 nine.gz > wrong.vec
untrained 3 '^wrong.vec' --vectors wrong.vec
# A model file holds one gigabyte of them; that this table is larger shows when it has been read.
if test -n "$TEST_LONG"; then
    awk 'BEGIN {
        for (d = 0; d < 4000; d++) numbers = numbers " 0"
        for (i = 0; i < 118000; i++) print "w" i numbers
    }' | gzip -1 > large.gz
    untrained 3 '^large.gz: error: no model file has room for more than 117219 of these words' --vectors large.gz --vectors-limit 4000000
    rm large.gz
fi
untrained 2 'vectors-limit goes with --vectors' --vectors-limit 5
untrained 2 'standard input' --vectors -
untrained 2 'vectors' --vectors one.vec --vectors other.vec
untrained 3 'none.vec' --vectors none.vec

# ---- memory -------------------------------------------------------------------------------------

# 30,000 vectors are 3 MB of 16-bit numbers, words beside them: twice as text, and three times where
# a checkpoint is written.
awk 'BEGIN {
    for (i = 0; i < 30000; i++) { printf "w%d", i; for (d = 0; d < 50; d++) printf " .5"; print "" }
}' > many.vec
promised() {
    "$DRAGOMAN" train-parser --config small.conf --after 0u -m promise.gguf --overwrite "$@" 2>&1 |
        sed -n 's/.*all in all, at most \([0-9.]*\) MiB$/\1/p'
}
echo "$(promised) $(promised --vectors many.vec)" |
    awk '{ if ($2 - $1 < 15) { print "promised " $1 " and " $2 " MiB"; exit 1 } }' || fail 'of which tables have no part'
