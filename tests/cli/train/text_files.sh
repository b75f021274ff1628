# text_files.sh: codes, vocabularies and SentencePiece models that are named: a run that goes on has
# those of its checkpoint or is refused; there is one for each vocabulary, and nothing beside them that
# they leave no room for.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 100 --dev 5 --test 5
cases=$SOURCE/tests/cli/text/spm

valid_on=
settings enc-depth=1 dec-depth=1 dim-emb=16 transformer-dim-ffn=32 transformer-heads=2 batch-size=20

"$DRAGOMAN" bpe learn -q -s 80 data/train.en data/train.de > codes
head -n 60 codes > other.codes
for side in en de; do
    "$DRAGOMAN" bpe apply -q -c codes < data/train.$side | "$DRAGOMAN" vocab -q > vocab.$side
    sed '$d' vocab.$side > short.$side
done
cat vocab.en vocab.de | awk '!seen[$1]++' > vocab.both

# ---- going on ------------------------------------------------------------------------------------

sides='--tokenize none --tied-embeddings decoder'
named="$sides --codes codes --vocabs vocab.en vocab.de"
train m.gguf $named --after 2u
train m.gguf $named --after 3u
train m.gguf $sides --after 4u # what is not named is the checkpoint's
ends 2 'other.codes: .*other BPE codes.*--overwrite' start m.gguf --after 5u $sides --codes other.codes
ends 2 'short.de: .*another vocabulary' start m.gguf --after 5u $sides --vocabs vocab.en short.de
ends 2 'vocab.de: .*another vocabulary' start m.gguf --after 5u $sides --vocabs vocab.de vocab.en
ends 3 missing start m.gguf --after 5u $sides --codes missing
train m.gguf $named --after 5u

one="--spm $cases/unigram-bytes.model --tied-embeddings all"
train s.gguf $one --after 2u
train s.gguf $one --after 3u
ends 2 'another SentencePiece model' start s.gguf --after 4u --spm "$cases/unigram.model" --tied-embeddings all

# A child's dictionaries are for what its parent lacks.
printf 'Zebra 1\nZug 1\n' > more.de
printf 'zebra 1\n' > more.en
printf 'zoo 1\n' > zoo.en
train child.gguf $sides --init m.gguf --vocabs more.en more.de --after 1u
train child.gguf $sides --init m.gguf --vocabs more.en more.de --after 2u
ends 2 'zoo.en: .*another vocabulary' start child.gguf $sides --init m.gguf --vocabs zoo.en more.de --after 3u

# ---- beside each other ---------------------------------------------------------------------------

untrained 2 '--vocabs names 1 file; expected two' $sides --codes codes --vocabs vocab.both --after 1u
untrained 2 '--vocabs names 2 files; expected one' --codes codes --after 1u --vocabs vocab.en vocab.de
untrained 2 '--bpe-merges with --codes' --codes codes --bpe-merges 30 --after 1u
untrained 2 '--dim-vocabs with --vocabs' $named --dim-vocabs 50 --after 1u
untrained 2 '--min-freq with --vocabs' $named --min-freq 4 --after 1u
train joint.gguf --codes codes --vocabs vocab.both --after 1u
train joint-2.gguf --codes codes --vocabs vocab.both vocab.both --after 1u # as Marian names it
cmp joint.gguf joint-2.gguf
# The least count of lemmas that are read as features.
train lemma.gguf $named --min-freq 4 --syntax 'tags(lemma=8)' --train-trees data/train.en.conllu --after 1u
# Of a recipe, which is for runs without the files, too, they are no contradiction.
printf 'bpe-merges = 30\nmin-freq = 4\n' > recipe.conf
train plain.gguf $named --after 1u
train recipe.gguf $named --after 1u --config recipe.conf
cmp plain.gguf recipe.gguf
