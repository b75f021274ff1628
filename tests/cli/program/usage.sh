# Wrong use: one line that says what was found, what was expected, and the way out; exit code 2.
. "$SOURCE/tests/support/shell/lib.sh"
try
try scoer ref
try tokk
try xyzzyx
# What begins with the word comes first, then what is near to it: commands, topics, options, aliases,
# values, variants and their options; _ is -.
try trans
try trian
try help encod
try translate --attention-k x
try train --learning-rat 1
try train --no-resum
try score ref --smooth-method flor
try train --dry-run --dim-vocabs 100 --encoder lexicalised
try train --dry-run --dim-vocabs 100 --decoder rnn
try train --dry-run --dim-vocabs 100 --syntax deps
try train --dry-run --dim-vocabs 100 --syntax 'deps_san(layer=1)'
try train --dry-run --dim-vocabs 100 --syntax xyzzyx
"$DRAGOMAN" train --dry-run --dim-vocabs 100 --enc-depth 1 --dec-depth 1 --dim-emb 8 --transformer-heads 2 \
    --transformer-dim-ffn 8 --syntax 'deps_san(layers=1)+dbsa(lambda_enc=1)' 2> err || cat err
try bpe
try bpe lern
try bpe frobnicate
try tok --langage de
try tok --frobnicate
try tok -Z
try tok --language
try tok --quiet=yes
try tok extra
try bpe apply
try average a b
# A list takes all arguments up to the next option, and says so where one was meant for something else.
printf 'GGUF' > m.gguf
echo text > text
try translate -m m.gguf text
try translate -m text
try rescore -m m.gguf text text
try rescore text -m m.gguf text
try rescore text text -m m.gguf text
try score -i text text
try inspect
try inspect a b
try completion tcsh
for value in -1 1025 2147483648 9223372036854775808 1e-400 nan inf 0x10 '' ' 4' 4x 1,5; do
    try tok --threads "$value"
done
# With 0, what has had no gradient yet would be 0 / 0.
try train --adam-eps 0
try train --adadelta-eps 0
try bpe apply -c codes --dropout 1.5
try bpe apply -c codes --dropout 0,5
try tok --log-level loud
try score ref --width 10
printf '\033]0;title\007' > name
"$DRAGOMAN" "$(cat name)" 2>&1
"$DRAGOMAN" tok --"$(cat name)" 2>&1
long=$(printf '%10000s' '' | tr ' ' x)
"$DRAGOMAN" tok --language "$long" 2>&1 < /dev/null | cut -c 1-80
"$DRAGOMAN" "$long" 2>&1 | cut -c 1-80
