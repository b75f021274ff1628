# unknown.sh: what a model cannot read is told: tokens that its vocabularies have not, and names in
# trees of another scheme than those that it learned from.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 100 --dev 20 --test 10
small transformer-dim-ffn=32 batch-size=20 after=2u valid-freq=2u

# ---- tokens --------------------------------------------------------------------------------------

"$DRAGOMAN" bpe learn -q -s 80 data/train.en data/train.de > codes
for side in en de; do
    "$DRAGOMAN" bpe apply -q -c codes < data/train.$side | "$DRAGOMAN" vocab -q > vocab.$side
    "$DRAGOMAN" vocab -q < data/train.$side > words.$side
done
sides='--codes codes --tied-embeddings decoder'
train whole.gguf $sides --vocabs vocab.en vocab.de
silent 'training text: .*<unk>'
train swapped.gguf $sides --vocabs vocab.de vocab.en
said 'warning: training text: [1-9][0-9.]* % of the tokens of the source are .*<unk>; expected codes'
said 'warning: training text: [1-9][0-9.]* % of the tokens of the target are .*<unk>; expected codes'
said 'warning: validation text: .* of the source .*<unk>; expected codes'
train words.gguf $sides --vocabs words.en words.de
said 'warning: training text: .* of the target .*<unk>'
# A few of them are no more than a note: 1 of 401 here.
awk '{ print "one two three four" }' data/train.de > plain.de
sed '7s/$/ five/' plain.de > odd.de
"$DRAGOMAN" vocab -q < plain.de > plain.vocab
usual_text=$train_on usual_valid=$valid_on
train_on='--train-sets data/train.en odd.de' valid_on='--valid-sets data/train.en plain.de'
train odd.gguf --bpe-merges 0 --tied-embeddings decoder --vocabs words.en plain.vocab
train_on=$usual_text valid_on=$usual_valid
said '\] training text: 0\.25 % of the tokens of the target are'
silent 'validation text: .*<unk>'

# A vocabulary that is learned may be small on purpose.
train small.gguf --bpe-merges 0 --dim-vocabs 30
said '\] training text: .* % of the tokens of the source are not in its vocabulary, and read as <unk>$'
silent 'warning: .*<unk>'

# ---- names in trees ------------------------------------------------------------------------------

# Another scheme: every relation and tag has another name.
for part in train dev test; do
    awk -F '\t' 'NF == 10 && !/^#/ { $4 = "X-" $4; $8 = "y-" $8 } { print }' OFS='\t' \
        data/$part.en.conllu > $part.conllu
done
tags='--bpe-merges 0 --syntax tags(deprel=4,upos=4)'
train tags.gguf $tags --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu
silent 'does not know'
train valid.gguf $tags --train-trees data/train.en.conllu --valid-trees dev.conllu
said 'warning: validation text: \([0-9]*\) of \1 words have a relation in dev.conllu that'
said 'warning: validation text: \([0-9]*\) of \1 words have a UPOS tag in dev.conllu that'
translate() {
    "$DRAGOMAN" translate -m tags.gguf -b 1 "$@" < data/test.en > out 2> log || fail "$(cat log)"
}
translate --trees data/test.en.conllu
silent 'does not know'
translate --trees test.conllu
said 'warning: trees: \([0-9]*\) of \1 words have a relation in test.conllu that the model does not know'

# A parser of that scheme, for a model of this one.
parser parser.gguf train.conllu --batch-tokens 200 --after 2u
train child.gguf --init tags.gguf --parser parser.gguf
said 'warning: the model does not know \([0-9]*\) of the \1 relations of the parser'
