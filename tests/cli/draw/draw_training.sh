# Curves of training as text and as SVG: several runs, unknown numbers, broken logs, mistakes.
# A run of 60 lines whose cost is noisy and whose cost begins at $1.
. "$SOURCE/tests/support/shell/lib.sh"
run() {
    awk -v begin="$1" 'BEGIN {
        for (i = 1; i <= 60; i++) {
            printf "{\"epoch\": %d, \"update\": %d, \"labels\": %d, \"loss\": %.6f, \"lr\": %.6f, ",
                1 + int((i - 1) / 10), 100 * i, 2500 * i, begin / (1 + i / 12) + i * 7 % 11 / 40,
                i < 20 ? i / 1e4 : 1 / (i * 25)
            printf "\"gnorm\": %s, \"wps\": 5000}\n", i == 30 ? 40 : 1 + i * 5 % 7 / 10
            if (i % 10 == 0) {
                printf "{\"epoch\": %d, \"update\": %d, \"metric\": \"bleu\", \"value\": %g}\n", i / 10,
                    100 * i, 40 - 4000 / (i * i) - (i == 60)
                printf "{\"epoch\": %d, \"update\": %d, \"encoder_rms\": %g}\n", i / 10, 100 * i,
                    begin / i
            }
        }
    }'
}
mkdir plain.gguf.ckpt relative.gguf.ckpt
run 8 > plain.gguf.ckpt/metrics.jsonl
run 6 > relative.gguf.ckpt/metrics.jsonl
try draw training plain.gguf --smooth 3 -w 60
try draw training plain.gguf.ckpt relative.gguf.ckpt/metrics.jsonl -m bleu,encoder_rms -x epochs -w 60
try draw training plain.gguf -m wps --smooth 1 --title 'Speed & more' -w 60
try draw training plain.gguf -m bleu -x seconds -f svg
try draw training plain.gguf relative.gguf -o two.svg
grep '<desc>' two.svg
if command -v xmllint > /dev/null; then
    xmllint --noout two.svg || echo 'not well-formed'
fi
echo 'logs that are not whole:'
head -c 5000 plain.gguf.ckpt/metrics.jsonl > cut.jsonl
try draw training cut.jsonl -m bleu -w 60
sed 's/"loss": [0-9.]*, "lr": 0.0003/"loss": nan, "lr": 0.0003/' plain.gguf.ckpt/metrics.jsonl > nan.jsonl
try draw training nan.jsonl -m loss -o nan.svg
grep -c 'not finite' nan.svg
{ head -n 40 plain.gguf.ckpt/metrics.jsonl; tail -n +20 plain.gguf.ckpt/metrics.jsonl; } > twice.jsonl
"$DRAGOMAN" draw training twice.jsonl -m bleu,loss -f svg --title t > a.svg
"$DRAGOMAN" draw training plain.gguf -m bleu,loss -f svg --title t | sed 's/plain/twice/g' |
    cmp - a.svg && echo 'the same as in one go'
: > empty.jsonl
try draw training empty.jsonl plain.gguf -m bleu -w 60
echo 'many lines are thinned:'
run 8 | awk '{ line[NR] = $0 } END {
    for (k = 0; k < 300; k++) for (i = 1; i <= NR; i++) {
        l = line[i]; match(l, /"update": [0-9]*/)
        u = substr(l, RSTART + 10, RLENGTH - 10) + 6000 * k
        print substr(l, 1, RSTART + 9) u substr(l, RSTART + RLENGTH)
    } }' > many.jsonl
"$DRAGOMAN" draw training many.jsonl -o many.svg
test "$(wc -c < many.svg)" -lt 200000 || echo 'not thinned'
echo 'mistakes:'
try draw training
try draw training missing.gguf
try draw training plain.gguf plain.gguf.ckpt
try draw training plain.gguf -m bleo
try draw training plain.gguf -m bleu,
try draw training plain.gguf -x hours
try draw training plain.gguf -o plain.gguf.ckpt/metrics.jsonl
try draw training empty.jsonl
echo '{"update": 3, "loss": 1}' | try draw training - -x words
echo '{"loss": 1}' | try draw training -
printf '{"update": 3, "lo\n{}\n' | try draw training -
echo '{"update": 3, "loss": nan}' | try draw training - -m loss
