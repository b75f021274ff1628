# no_text.sh: what is no text (packed by xz, a PDF, ...) is refused by its name, with the way to text,
# wherever a command reads text; a .zst that begins with a skippable frame is read.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
from="$SOURCE/tests/cli/model/import"
printf '\375\067\172\130\132\000\000\004\346\326\264\106' > x # the beginning of an .xz
printf 'ab ab ab\n' > text
cp text other
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n' > trees
printf '#version: 0.2\na b\n' > codes
mkdir run.ckpt
cp x run.ckpt/metrics.jsonl
"$DRAGOMAN" import "$from/hf-marian" -o model.gguf 2> note
cp -r "$from/fairseq" folder
chmod -R u+w folder
no() { refuse 3 'this is an xz file, not text in UTF-8: unpack it with xz -d' "$@"; }

# Lines, in a file, on standard input, and down a pipe.
no tok -i x
no tok < x
cat x | no tok
no detok -i x
no sentences -i x
no truecase train x
no truecase apply -m x -i text
no truecase undo -i x
no bpe learn x
no bpe vocab x
no bpe apply -c x -i text
no bpe apply -c codes -i x
no bpe apply -c codes -i text --vocabulary x
no bpe undo -i x
no spm train --vocab-size 20 x
no spm encode -m "$from/hf-marian/source.spm" -i x
no spm decode -m "$from/hf-marian/source.spm" -i x
no vocab x
no vectors train x
no clean x text --dry-run
no clean text x --dry-run
no clean text other --trees x --dry-run
no clean text other --without text x --dry-run
no split x text --dev a b --dev-size 1
no split text x --dev a b --dev-size 1
no join x text
no join text x
no score x -i text
no score text -i x
no score text -i text --paired-bs x
no score text -i text --by-length=text --baseline x

# Trees, drawings.
no parse-eval x trees
no parse-eval trees x
no convert trees -i x --to brackets
no convert trees -i x --from brackets --to conllu --head-rules english
no draw tree -i x
no draw tree -i trees --compare x
no draw chart -i x --x a --y b
no draw attention -i x
no draw training run

# What models translate, score and learn from.
no translate -m model.gguf -i x
no rescore x text -m model.gguf
no rescore text x -m model.gguf
no shortlist -m model.gguf --lexical-table x -o out.lex
no shortlist -m model.gguf -t x text -o out.lex
no shortlist -m model.gguf -t text x -o out.lex
fit() { no train -m t.gguf --tokenize none --after 1u "$@"; }
fit -t x text
fit -t text x
fit -t text other --valid-sets x text
fit -t text other --train-trees x --syntax pascal
fit -t text other --sentence-weights x
fit -t text other --guided-alignment x
fit -t text other --codes x
fit -t text other --vocabs x
fit --train-list x
fit --tsv -t x
fit() { no train-parser -m p.gguf --min-freq 1 --after 1u "$@"; }
fit -t x
fit -t trees --valid-sets x
fit -t trees --vectors x

# Recipes, and the texts beside a model of another program.
no tok --config x -i text
rm folder/sentencepiece.bpe.model
no import folder -o out.gguf --codes x
no import "$from/fairseq" -o out.gguf --vocabs x x
cp x folder/dict.source.txt
no import folder -o out.gguf
cp x folder/config.json
no import folder -o out.gguf

# What is no text is named as well.
refuse 3 'this is an xz file, not a SentencePiece model: unpack it with xz -d' spm encode -m x
refuse 4 'this is an xz file, not an archive of NumPy .* or model.bin of CTranslate2: unpack it with xz -d' import x -o out.gguf
refuse 4 'this is an xz file, not a GGUF file: unpack it with xz -d' inspect x

# Other names.
names() { printf "$1" > y; refuse 3 "$2" tok -i y; }
names 'BZh91AY&SY\041' 'a bzip2 file.*bzip2 -d'
names '\004\042\115\030\144' 'an lz4 file.*lz4 -d'
names 'PK\003\004\024' 'a zip archive.*unzip'
names '7z\274\257\047\034' 'a 7z archive.*7z x'
names '%%PDF-1.4\n' 'a PDF document.*pdftotext'
names 'GGUF\003\000\000\000' 'a GGUF file.*where a model is wanted'

# As pzstd writes it: a skippable frame, then one of the text; twice.
for turn in 1 2; do
    printf '\120\052\115\030\004\000\000\000\021\000\000\000'
    printf '\050\265\057\375\044\004\041\000\000a b\n\202\336\261\262'
done > pieces.zst
if "$DRAGOMAN" version --build | grep -q '^zstd: none'; then
    refuse 3 'a zstd file' tok -i pieces.zst
else
    "$DRAGOMAN" tok -i pieces.zst > got
    test "$(cat got)" = "$(printf 'a b\na b')"
fi
refuse 3 'a zstd file, not text.*zstd -d' tok -i text --config pieces.zst
