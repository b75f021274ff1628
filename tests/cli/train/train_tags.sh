# train_tags.sh: a tag in front of the sources of each text: learned whole, beside trees, in a cache, by
# every encoder; translate --tag; what is refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 400 --dev 20 --test 20
for l in en de; do
    head -n 200 data/train.$l > a.$l
    tail -n +201 data/train.$l > b.$l
done
awk -v RS= -v ORS='\n\n' 'NR <= 200' data/train.en.conllu > a.conllu
awk -v RS= -v ORS='\n\n' 'NR > 200' data/train.en.conllu > b.conllu
# Two tasks that only a tag tells apart: a word is copied, or becomes another one.
for i in 1 2 3 4 5 6 7 8 9 10; do
    printf 'one two\ntwo one\none one\ntwo two\n'
done > copy.en
sed 's/one/uno/g; s/two/dos/g' copy.en > change.es
cp copy.en copy.de

small transformer-dim-ffn=16 max-length=400 batch-tokens=2000 after=6u
train_on= valid_on=

# ---- what a tag does -----------------------------------------------------------------------------

"$DRAGOMAN" train --model tagged.gguf --tokenize none --bpe-merges 4 --enc-depth 1 --dec-depth 1 \
    --dim-emb 16 --transformer-dim-ffn 32 --transformer-heads 2 --dropout 0 --lr 0.01 --warmup 20 \
    --batch-tokens 400 --after 300u -t copy.en copy.de -t copy.en change.es --train-tags '<de>,<es>' \
    --valid-sets copy.en copy.de --valid-sets copy.en change.es --valid-tags '<de>,<es>' \
    --valid-names de,es --valid-metrics accuracy 2> log || { cat log; exit 1; }
said 'text 2: copy.en: 40 pairs, 50.0 % of an epoch, each 1.000 times, behind <es>'
head -n 4 copy.en | "$DRAGOMAN" translate -m tagged.gguf --tag '<de>' -q > de
head -n 4 copy.en | "$DRAGOMAN" translate -m tagged.gguf --tag '<es>' -q > es
# A shortlist is learned from sources as they are translated: the tag has words of its own there.
shortlist() { "$DRAGOMAN" shortlist -m tagged.gguf -t copy.en change.es --first 0 "$@" 2> log; }
shortlist -o with --tag '<es>' || { cat log; exit 1; }
if grep -q warning log; then cat log; exit 1; fi
shortlist -o without || { cat log; exit 1; }
said 'warning: the model has learned the tags <de> <es>, and no line has one without --tag'
if cmp -s with without; then echo 'the tag is not read'; exit 1; fi
head -n 4 copy.en | "$DRAGOMAN" translate -m tagged.gguf --tag '<es>' -q --shortlist with | cmp - es
refuse 2 'tag "<it>": the model does not know it; expected one of <de> <es>' \
    shortlist -m tagged.gguf -t copy.en change.es -o never --tag '<it>'
refuse 2 'tag with --lexical-table, whose sources are words' \
    shortlist -m tagged.gguf --lexical-table copy.en -o never --tag '<es>'
test ! -e never
if grep 'uno\|dos' de || grep 'one\|two' es; then exit 1; fi
test "$(wc -w < de) $(wc -w < es)" = '8 8'
"$DRAGOMAN" rescore -m tagged.gguf --tag '<es>' copy.en change.es > right
"$DRAGOMAN" rescore -m tagged.gguf --tag '<de>' copy.en change.es > wrong
paste right wrong | awk '$1 <= $2 { exit 1 }'
echo one | "$DRAGOMAN" translate -m tagged.gguf 2> log > /dev/null
said 'line 1 has no tag at its head (said once), and the model has learned the tags <de> <es>; '
refuse 2 'tag "<fr>": the model does not know it; expected one of <de> <es>' \
    translate -m tagged.gguf --tag '<fr>'
"$DRAGOMAN" inspect tagged.gguf | grep -q 'dragoman.tags.*<de> <es>'
"$DRAGOMAN" quantize -q tagged.gguf -o small.gguf
echo one | "$DRAGOMAN" translate -m small.gguf --tag '<es>' -q > /dev/null
# At the head of a line it is the tag of that line; elsewhere a word that is spelled like one is
# unknown, and is none.
spelled() { echo "$1" | "$DRAGOMAN" translate -m tagged.gguf --tag '<de>' -q $2; }
test "$(spelled '<es> one one') $(spelled ' >>es<<one one')" = 'uno uno uno uno'
spelled '<es> one' --no-line-tags > word
spelled 'one <es>' >> word
if grep -q uno word; then exit 1; fi

# ---- several ways to the same --------------------------------------------------------------------

two="-t a.en a.de -t b.en b.de"
train plain.gguf $two
train none.gguf $two --train-tags none,none
cmp plain.gguf none.gguf
train tags.gguf $two --train-tags '<a>,none'
differ plain.gguf tags.gguf
printf 'a.en\ta.de\t-\t<a>\nb.en\tb.de\n' > list
train list.gguf --train-list list
cmp tags.gguf list.gguf
train cached.gguf $two --train-tags '<a>,none' --train-cache text.cache
train again.gguf $two --train-tags '<a>,none' --train-cache text.cache --threads 2
said 'read from text.cache'
train others.gguf $two --train-tags '<a>,<b>' --train-cache text.cache
said 'made anew'
cmp tags.gguf cached.gguf
cmp tags.gguf again.gguf
train parts.gguf $two --train-tags '<a>,none' --after 3u
train parts.gguf $two --train-tags '<a>,none'
cmp tags.gguf parts.gguf
ends 2 'training text 1 has another tag' \
    start parts.gguf $two --train-tags 'none,<a>' --after 9u
ends 2 'tag "<b>": the model does not know it; expected one of <a>' \
    start parts.gguf $two --train-tags '<a>,<b>' --after 9u
train sampled.gguf $two --train-tags '<a>,<b>' --learn-lines 1

# ---- beside trees: not yet -----------------------------------------------------------------------

trees="--train-trees a.conllu b.conllu --train-tags <a>,<b> --after 2u"
for kind in --syntax=deps-san --syntax=pascal '--syntax=tags(deprel=4)' --encoder=constituency; do
    width=
    case $kind in --encoder*) width='--dim-rnn 16' ;; esac
    ends 2 'tags in front of sources with .*; expected a variant without trees' \
        start trees.gguf $two $trees $width "$kind"
done
train sequential.gguf $two --train-tags '<a>,<b>' --encoder sequential --dim-rnn 16 --after 2u
untrained 2 '--train-trees has 1 value for 2 texts' $two --train-trees a.conllu

# ---- what is refused -----------------------------------------------------------------------------

untrained 2 'tag "de"; expected one such as <de>' $two --train-tags de,none
untrained 2 'tag "</s>"; expected' $two --train-tags '</s>,none'
untrained 2 '--train-tags has 1 value for 2 texts' $two --train-tags '<a>'
untrained 2 'expected a word' $two --train-tags '<a>,'
untrained 2 'expected --valid-tags' $two --train-tags '<a>,<b>' --valid-sets data/dev.en data/dev.de
untrained 2 '<c> is the tag of no training text' $two --train-tags '<a>,<b>' \
    --valid-sets data/dev.en data/dev.de --valid-tags '<c>'
untrained 2 'both have tags' --train-list list \
    --train-tags '<a>,<b>'
refuse 2 'the model knows no tags' translate -m plain.gguf --tag '<a>'
printf 'one 1\n' > words
untrained 3 'has no entry <a>' $two --train-tags '<a>,none' --vocabs words --bpe-merges 0
