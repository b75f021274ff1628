# Neural metrics: what they read is written, and what they write is read, compared and tested as any score.
. "$SOURCE/tests/support/shell/lib.sh"
printf 'Der Hund "bellt".\nEin\tTag\\Nacht.\n' > src
printf 'The dog barks.\nA day.\n' > ref
printf 'The hound "barks".\nA\tday\\night.\n' > hyp
try score ref -i hyp --export comet --source src
try score ref -i hyp --export metricx --source src
try score ref -i hyp --export bleurt
# 40 sentences: b is better by 0.1 in three of four, c is a.
awk 'BEGIN {
    for (i = 0; i < 40; i++) {
        a = (i * 37 % 40) / 40
        b = a + (i % 4 ? 0.1 : -0.05)
        sum += b
        printf "%.4f\n", a > "a"
        printf "b.en\tSegment %d\tscore: %.4f\n", i, b > "b"
        printf "{\"hypothesis\": \"h %d\", \"prediction\": %.4f, \"reference\": \"{\"}\n", i, b > "b.jsonl"
        printf "b.en\tSegment %d\tscore: %.4f\tvariance: 0.0100\n", i, b > "b.variance"
        printf "%.17g\n", b > "b.plain"
    }
    printf "b.en\tscore: %.4f\n", sum / 40 > "b"
}'
cp a c
try score --read-scores COMET -i b -w 4
for file in b.jsonl b.variance b.plain; do "$DRAGOMAN" score --read-scores COMET -i $file -b -w 4; done
"$DRAGOMAN" score --read-scores COMET -b -w 4 < b
"$DRAGOMAN" score --read-scores BLEURT -i a b c -w 4 --paired-bs
try score --read-scores BLEURT --runs -i a c + b b.jsonl -w 4
try score --read-scores BLEURT -i a b -w 4 -f json
awk '{ print -1e6 }' a > low
"$DRAGOMAN" score --read-scores QE -i low -b -w 2
echo 'bad input:'
try score ref -i hyp --export comet
try score ref -i hyp --export bleurt --source src
try score ref ref -i hyp --export bleurt
try score ref -i hyp hyp --export bleurt
try score -i hyp --export bleurt
try score ref -i hyp --source src
head -n 1 src > short
try score ref -i hyp --export comet --source short
try score ref -i a --read-scores COMET
try score -i a --read-scores COMET -m bleu
try score -i a --read-scores COMET --sentence-level
"$DRAGOMAN" score -i a --read-scores COMET --tokenize none 2>&1
try score -i a --read-scores 'CO"MET'
try score -i a --read-scores ''
head -n 5 a > short
try score -i a short --read-scores COMET --paired-bs
odd() {
    printf "$1" > odd
    "$DRAGOMAN" score -i odd --read-scores COMET 2>&1
    echo "-> $?"
}
odd ''
odd '0.5\n\n0.7\n'
odd '0.5\nnan\n'
odd '0.5\n2e6\n'
odd 'The cat sat.\n'
odd '0.5\na\tSegment 1\tscore: 0.5\n'
odd 'a\tSegment 0\tscore: 0.5\na\tSegment 2\tscore: 0.5\n'
odd 'a\tSegment 0\tscore: 0.5\nb\tSegment 0\tscore: 0.5\n'
odd 'a\tSegment 0\tscore: 0.5\na\tscore: 0.5\na\tSegment 1\tscore: 0.5\n'
odd 'a\tscore: 0.5\n'
odd '{"hypothesis": "x"}\n'
odd '{"prediction": NaN}\n'
odd '{"a.en": [\n{"COMET": 0.5}\n]}\n'
