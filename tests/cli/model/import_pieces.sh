# import_pieces.sh: `import` and the SentencePiece models that lie beside a model: none is dropped
# unless the user says so, and another program's are taken where the vocabulary has their pieces.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
from="$SOURCE/tests/cli/model/import"
import() { "$DRAGOMAN" import "$@"; }
# refused WORDS ARGUMENT...: an error of usage in one line that has the words, and no model.
refused() {
    words=$1
    shift
    briefly 2 "$words" import "$@" -o x.gguf
    test ! -e x.gguf
}
# cuts HOW ARGUMENT...: the result cuts text so; what is told of it is in `note`.
cuts() {
    how=$1
    shift
    import "$@" --dry-run > plan 2> note
    grep -q "^tokenize = $how\$" plan || { echo "$*: not $how"; cat note; exit 1; }
}
quiet() { test ! -s note || { cat note; exit 1; }; }
printf '#version: 0.2\na b\n' > codes

# Codes or words instead of the pieces that a model was trained with: garbage, told by nobody.
for kind in hf-marian hf-m2m100 marian fairseq opennmt; do
    spm=source.spm
    case $kind in hf-m2m100 | fairseq | opennmt) spm=sentencepiece.bpe.model ;; esac
    refused "--codes beside .*/$kind/$spm.*expected no --codes" "$from/$kind" --codes codes
    refused "--codes beside .*/$kind/$spm" "$from/$kind" --codes codes --tokenize none
    refused "--tokenize moses beside .*/$kind/$spm.*expected spm, or none" \
        "$from/$kind" --tokenize moses
    # Text that is cut by hand.
    cuts none "$from/$kind" --tokenize none
    grep -q "note.*$kind/$spm is not used" note || { cat note; exit 1; }
done
# What is typed twice in two ways; files are not looked at.
refused '--codes beside models of SentencePiece' "$from/hf-marian" --codes codes --spm nosuch
refused '--codes beside models of SentencePiece' "$from/marian" --codes codes --spm nosuch
refused '--tokenize none beside models' "$from/hf-marian" --tokenize none --spm nosuch
refused '--tokenize moses beside models' "$from/marian" --tokenize moses --spm nosuch
refused '--tokenize none beside models' "$from/opennmt" --tokenize none --spm nosuch

# Without such models, codes and words are what they were.
for kind in hf-marian fairseq opennmt marian; do
    cp -r "$from/$kind" $kind
    chmod -R u+w $kind
    rm -f $kind/*.spm $kind/*.model
    cuts none $kind --codes codes
    quiet
    cuts moses $kind --tokenize moses --codes codes
    quiet
done
cuts none fairseq
quiet

# The model of both sides, or two of them, beside what holds its pieces.
for kind in fairseq opennmt; do
    cuts spm "$from/$kind"
    quiet
    spm=$from/$kind/sentencepiece.bpe.model
    import "$from/$kind" -o beside.gguf
    import "$from/$kind" --spm "$spm" -o said.gguf
    cmp beside.gguf said.gguf
    cp "$spm" $kind/source.spm
    cp "$spm" $kind/target.spm
    cuts spm $kind
    quiet
    rm beside.gguf said.gguf $kind/target.spm
    ! import $kind --dry-run > plan 2> note
    grep -q "no target.spm here beside source.spm; expected it, or --spm" note
done
# Beside a vocabulary of other pieces it is somebody else's, of either side; codes are as welcome.
rm fairseq/source.spm
cp "$from/fairseq/sentencepiece.bpe.model" fairseq
others() { # FILE LEAST: all tokens from line LEAST on are cut by codes.
    awk -v least="$2" 'NR >= least { $1 = "w" NR "@@" } { print }' "$from/fairseq/$1" > fairseq/$1
}
others dict.source.txt 1
cuts none fairseq
grep -q 'note.*fairseq/sentencepiece.bpe.model is not used: of 71 .*dict.source.txt only 3 .*--spm' note
cuts moses fairseq --tokenize moses --codes codes
quiet
cuts spm fairseq --tokenize spm
grep -q 'pieces are not in the vocabulary' note
cuts spm fairseq --spm fairseq/sentencepiece.bpe.model
others dict.source.txt 60 # rare characters
cuts spm fairseq
others dict.source.txt 40
cuts none fairseq
grep -q 'only 42 ' note
others dict.source.txt 99
sed 's/\("share_all_embeddings": \)true/\1false/' "$from/fairseq/config.json" > fairseq/config.json
cuts spm fairseq
quiet
others dict.target.txt 1
cuts none fairseq
grep -q 'not used: of 71 .*dict.target.txt only 3 ' note
