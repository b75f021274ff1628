# running.sh: running text for a model of tokens: cut as tok cuts it, lower-cased where the model's text was, joined as
# detok joins it; lines of tokens stay what they are, beside it too.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
awk 'BEGIN {
    for (i = 0; i < 60; i++) {
        print "the dog , no " i ", sees ( a cat ) near mr. smith . &quot; it &apos;s big &quot;" > "s"
        print "der hund , nr " i " , sieht ( die katze ) . &quot; groß &quot;" > "t"
    }
    for (i = 0; i < 60; i++) {
        print "The dog, Nr " i " (a cat): \"it is\" big." > "raw.s"
        print "Der Hund, Nr " i " (die Katze): \"groß\"." > "raw.t"
    }
}'
sed 's/i,/i ,/; s/no [0-9]*,/no 7 ,/' s > s.tok && mv s.tok s
valid_on= train_on='-t s t'
small bpe-merges=0 after=60u save-freq=60u max-length=100
train m.gguf
printf '%s\n' 'The dog, no 7, sees (a cat) near Mr. Smith.' "\"It's big\"" 'It sees a cat' 'a cat: a dog; it sees: "big"!' \
    'See 5 p.m. dog.' > raw
printf '%s\n' 'the dog , no 7 , sees ( a cat ) near mr. smith .' '&quot; it &apos;s big &quot;' 'a cat 5 p.m.' 'dog . . .' '' > tok
translate() { "$DRAGOMAN" translate -b 2 --split none "$@"; }
"$DRAGOMAN" tok -q --lower --escape -l en -i raw -o raw.tok
head -n 2 raw.tok
# raised LINES: the first letter of each sentence of these lines, as /1|2/, becomes a capital.
raised() {
    awk -v lines="^($1)\$" 'NR !~ lines { print; next }
    {
        head = 1
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            if (c ~ /[a-z]/) { if (head) c = toupper(c); head = 0 }
            else if (c ~ /[.!?]/ && substr($0, i + 1, 1) == " ") head = 1
            printf "%s", c
        }
        print ""
    }'
}
translate -q -m m.gguf -i raw.tok --lines tokens --protect none | "$DRAGOMAN" detok -q -l de > plain
raised '1|2|5' < plain > want
translate -m m.gguf -i raw > out 2> log
said '4 of 5 lines are running text: they were cut into tokens, which this model reads, and their translations joined'
sed 3d want > want.4
sed 3d out | cmp want.4 -
# Without a mark it may be either: in small letters all the same.
echo 'it sees a cat' | translate -q -m m.gguf > small
sed -n 3p out | cmp small -
translate -q -m m.gguf -i raw --lines raw | cmp plain -
translate -q -m m.gguf -i raw --keep-tokens | sed 3d > tokens
translate -q -m m.gguf -i raw.tok --lines tokens --protect none | sed 3d | cmp tokens -
# Capitals and spans come first: what is left of a line begins with a word.
generate data --seed 5 --train 60 --dev 5 --test 5
train_on='-t data/train.en data/train.de'
train d.gguf
sed 1q data/train.en | "$DRAGOMAN" detok -q -l en | awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) }' > sentence
awk '{ print toupper($0); print "<b>" $1 "</b>" substr($0, length($1) + 1) }' sentence > lines
translate -m d.gguf --case auto -i lines > out 2> log
said '2 of 2 lines are running text'
silent 'not in the vocabulary'
if sed 1q out | grep -q '[a-z]'; then fail "small letters: $(cat lines out)"; fi
sed 1d out | grep -q '<b>.*</b>' || fail "a tag is lost: $(cat lines out)"
train_on='-t s t'
# As they are, in whatever letters.
printf '%s\n' 'THE dog.' 'the DOG .' | translate -m m.gguf --lines tokens > out 2> log
said ' 3 of 5 words are not in the vocabulary'
# Tokens: nothing changes, and nothing is said; in any company and on any threads.
translate -m m.gguf -i tok > out 2> log
silent 'running text'
translate -q -m m.gguf -i tok --lines tokens | cmp out -
paste -d '\n' raw tok > both
translate -q -m m.gguf -i raw > of.raw
translate -q -m m.gguf -i both > of.both
paste -d '\n' of.raw out | cmp - of.both
translate -q -m m.gguf -i both --maxi-batch 3 --batch-tokens 8 -j 2 | cmp of.both -
translate -q -m m.gguf m.gguf -i both > two
translate -q -m m.gguf m.gguf -i both -j 2 --maxi-batch 1 | cmp two -
echo 'The dog sees http://x.org/a?b=c, no <b>cat</b>.' | translate -q -m m.gguf > out
grep -q -F 'http://x.org/a?b=c' out && grep -q '<b>.*</b>' out || fail "spans: $(cat out)"

# A model that was trained on running text, and one that cuts it itself.
train_on='-t raw.s raw.t'
train r.gguf --overwrite
translate -m r.gguf -i raw > out 2> log
silent 'were cut into tokens'
translate -q -m r.gguf -i raw --lines tokens | cmp out -
small source-lang=en target-lang=de tokenize=moses bpe-merges=0 after=1u save-freq=1u max-length=100
train moses.gguf
translate -q -m moses.gguf -i raw > out
translate -q -m moses.gguf -i raw --lines raw | cmp out -
"$DRAGOMAN" tok -q -i raw --no-escape | translate -q -m moses.gguf --lines tokens --protect none > tokens
translate -q -m moses.gguf -i raw --keep-tokens --protect none | cmp tokens -
settings source-lang=en target-lang=de enc-depth=1 dec-depth=1 dim-emb=16 transformer-heads=2 tokenize=spm vocab-type=unigram dim-vocabs=60 after=1u save-freq=1u max-length=100
train spm.gguf
refuse 2 'lines "tokens" for a model with pieces' translate -m spm.gguf -i raw --lines tokens
