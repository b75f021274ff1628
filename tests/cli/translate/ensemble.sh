# ensemble.sh: models translate together only if a line becomes the same ids for each of them: all
# that a pipeline does before it looks into the vocabulary is compared, and what differs is named.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 200 --dev 10 --test 8
cases=$SOURCE/tests/cli/text/spm
settings enc-depth=1 dec-depth=1 dim-emb=16 transformer-dim-ffn=32 transformer-heads=2 batch-size=20 after=2u
valid_on=
together() { "$DRAGOMAN" translate --quiet -m "$@" -i data/test.en; }
# refused SECOND WORDS: no ensemble of the first model and this one.
refused() { refuse 4 "$1: .*$2" translate --quiet -m "$first" "$1" -i data/test.en; }

# ---- words and merges ----------------------------------------------------------------------------

"$DRAGOMAN" bpe learn -q -s 80 data/train.en data/train.de > codes
head -n 60 codes > other.codes
for side in en de; do
    "$DRAGOMAN" bpe apply -q -c codes < data/train.$side | "$DRAGOMAN" vocab -q > vocab.$side
done
words='--vocabs vocab.en vocab.de --tied-embeddings decoder'
first=first.gguf
train $first --codes codes $words
train same.gguf --codes codes $words --seed 7
together first.gguf same.gguf > both.de
test "$(wc -l < both.de)" = 8

train merges.gguf --codes other.codes $words
refused merges.gguf 'other BPE codes'
train none.gguf --codes codes $words --tokenize none
refused none.gguf 'tokenize = none.* moses'
train lower.gguf --codes codes $words --lower-case
refused lower.gguf 'lower-case = true.* false'
train quotes.gguf --codes codes $words --normalize-punctuation
refused quotes.gguf 'normalize-punctuation = true.* false'
train french.gguf --codes codes $words --source-lang fr
refused french.gguf 'source-lang = fr.* en'
train italian.gguf --codes codes $words --target-lang it
refused italian.gguf 'target-lang = it.* de'

# Where no rule of a language is used, its name says nothing.
train named.gguf --codes codes $words --tokenize none --source-lang fr
together none.gguf named.gguf > both.de
test "$(wc -l < both.de)" = 8

# ---- SentencePiece -------------------------------------------------------------------------------

# One vocabulary of both sides, or two equal ones: the same ids.
first=one.gguf
train $first --tokenize spm --spm "$cases/unigram-bytes.model" --tied-embeddings all
train two.gguf --tokenize spm --spm "$cases/unigram-bytes.model" --tied-embeddings decoder
together one.gguf two.gguf > both.de
together two.gguf one.gguf > either.de
test "$(wc -l < both.de)" = 8
test "$(wc -l < either.de)" = 8
train other.gguf --tokenize spm --spm "$cases/unigram.model" --tied-embeddings all
refused other.gguf 'another vocabulary'

# ---- tags ----------------------------------------------------------------------------------------

first=de.gguf
train de.gguf --codes codes --train-tags '<de>'
train fr.gguf --codes codes --train-tags '<fr>'
train none.gguf --codes codes --overwrite
refused fr.gguf 'knows the tag <fr>, and the first model does not'
refused none.gguf 'does not know the tag <de>, and the first model does'
