# dump_config.sh: what --dump-config writes is a run: read back, it gives the same bytes, also where a
# parent, a SentencePiece model or its learning decide about options that nobody has named.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 5 --test 5
cases=$SOURCE/tests/cli/text/spm
small='--enc-depth 1 --dec-depth 1 --dim-emb 16 --transformer-dim-ffn 32 --transformer-heads 2
    --batch-size 20 --after 2u -t data/train.en data/train.de'
# again OPTION...: a run, and one of what it dumps.
again() {
    rm -rf run.gguf* copy.gguf*
    "$DRAGOMAN" train -q -m run.gguf "$@" || fail "$*"
    "$DRAGOMAN" train -q -m copy.gguf "$@" --dump-config > copy.conf || fail "dump: $*"
    "$DRAGOMAN" train -q --config copy.conf 2> err || fail "of its dump: $* $(cat err)"
    cmp run.gguf copy.gguf || fail "another model: $*"
}
in_effect() { grep -q -e "$1" copy.conf || fail "no '$1': $(cat copy.conf)"; }

# shellcheck disable=SC2086
{
again $small
in_effect '^# bpe-merges = 10000  # default'
in_effect '^# min-freq = 1  # default'
again $small --bpe-merges 40 --min-freq 1 --dropout 0.4 --label-smoothing 0.3
in_effect '^bpe-merges = 40  # command line'
in_effect '^min-freq = 1  # command line'
cp run.gguf parent.gguf
again $small --init parent.gguf
in_effect '^dropout = 0.4  # the model of --init'
in_effect '^label-smoothing = 0.3  # the model of --init'
# The parent's sizes need no words.
again --init parent.gguf --batch-size 20 --after 2u -t data/train.en data/train.de
in_effect '^dim-emb = 16  # the model of --init'
again $small --init parent.gguf --init-partial --bpe-merges 50 --dropout 0.1
again $small --vocab-type unigram --dim-vocabs 100
in_effect '^tokenize = spm  # --vocab-type'
again $small --vocab-type char
again $small --spm "$cases/unigram-bytes.model"
in_effect '^tokenize = spm  # --spm'
again $small --spm "$cases/unigram-bytes.model" --spm-sampling 0.2
}
rc=0
"$DRAGOMAN" train --init missing.gguf --dump-config > out 2> err || rc=$?
test $rc = 4 || test $rc = 3 || fail "missing: $rc"
grep -q missing.gguf err
