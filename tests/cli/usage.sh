# Wrong use: one line that says what was found, what was expected, and the way out; exit code 2.
try() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1 < /dev/null
    echo "-> $?"
}
try
try scoer ref
try tokk
try xyzzyx
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
try inspect
try inspect a b
try completion tcsh
for value in -1 1025 2147483648 9223372036854775808 1e-400 nan inf 0x10 '' ' 4' 4x 1,5; do
    try tok --threads "$value"
done
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
