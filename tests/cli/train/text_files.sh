# text_files.sh: codes, vocabularies and SentencePiece models that are named: a run that goes on has
# those of its checkpoint or is refused; there is one for each vocabulary, and nothing beside them that
# they leave no room for.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 3 --train 100 --dev 5 --test 5 --out data > /dev/null
cases=$SOURCE/tests/cli/text/spm

. "$SOURCE/tests/support/shell/refuse.sh"

small='--quiet --enc-depth 1 --dec-depth 1 --dim-emb 16 --transformer-dim-ffn 32 --transformer-heads 2
    --batch-size 20 --train-sets data/train.en data/train.de'
# shellcheck disable=SC2086
train() { "$DRAGOMAN" train $small "$@"; }
# refused WORDS OPTION...: no training with these.
refused() {
    words=$1
    shift
    # shellcheck disable=SC2086
    refuse 2 "$words" train $small "$@"
}

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
train -m m.gguf $named --after 2u
train -m m.gguf $named --after 3u
train -m m.gguf $sides --after 4u # what is not named is the checkpoint's
refused 'other.codes: .*other BPE codes.*--overwrite' -m m.gguf --after 5u $sides --codes other.codes
refused 'short.de: .*another vocabulary' -m m.gguf --after 5u $sides --vocabs vocab.en short.de
refused 'vocab.de: .*another vocabulary' -m m.gguf --after 5u $sides --vocabs vocab.de vocab.en
rc=0
train -m m.gguf --after 5u $sides --codes missing 2> err || rc=$?
test $rc != 0
grep -q missing err
train -m m.gguf $named --after 5u

one="--spm $cases/unigram-bytes.model --tied-embeddings all"
train -m s.gguf $one --after 2u
train -m s.gguf $one --after 3u
refused 'another SentencePiece model' -m s.gguf --after 4u --spm "$cases/unigram.model" --tied-embeddings all

# A child's dictionaries are for what its parent lacks.
printf 'Zebra 1\nZug 1\n' > more.de
printf 'zebra 1\n' > more.en
printf 'zoo 1\n' > zoo.en
train -m child.gguf $sides --init m.gguf --vocabs more.en more.de --after 1u
train -m child.gguf $sides --init m.gguf --vocabs more.en more.de --after 2u
refused 'zoo.en: .*another vocabulary' -m child.gguf $sides --init m.gguf --vocabs zoo.en more.de --after 3u

# ---- beside each other ---------------------------------------------------------------------------

refused '--vocabs names 1 file; expected two' -m x.gguf $sides --codes codes --vocabs vocab.both --after 1u
refused '--vocabs names 2 files; expected one' -m x.gguf --codes codes --after 1u --vocabs vocab.en vocab.de
refused '--bpe-merges with --codes' -m x.gguf --codes codes --bpe-merges 30 --after 1u
refused '--dim-vocabs with --vocabs' -m x.gguf $named --dim-vocabs 50 --after 1u
refused '--min-freq with --vocabs' -m x.gguf $named --min-freq 4 --after 1u
train -m joint.gguf --codes codes --vocabs vocab.both --after 1u
train -m joint-2.gguf --codes codes --vocabs vocab.both vocab.both --after 1u # as Marian names it
cmp joint.gguf joint-2.gguf
# The least count of lemmas that are read as features.
train -m lemma.gguf $named --min-freq 4 --syntax 'tags(lemma=8)' --train-trees data/train.en.conllu --after 1u
# Of a recipe, which is for runs without the files, too, they are no contradiction.
printf 'bpe-merges = 30\nmin-freq = 4\n' > recipe.conf
train -m plain.gguf $named --after 1u
train -m recipe.gguf $named --after 1u --config recipe.conf
cmp plain.gguf recipe.gguf
test ! -e x.gguf
