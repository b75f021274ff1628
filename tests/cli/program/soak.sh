# soak.sh: for SOAK_SECONDS a translation is fed lines of any kind: words, bytes that are no text,
# lines of any length. After a warm-up neither its memory nor its open files grow, and each line in
# is a line out.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
test -n "$SOAK_SECONDS" || skip "make check-soak runs it"
test -r /proc/self/status || skip "no /proc"
generate data --seed 3 --train 200 --dev 5 --test 5
small bpe-merges=40 transformer-dim-ffn=16 max-length=60 after=40u
valid_on=
train m.gguf

# chunk NUMBER: 500 lines of the text, one in ten spoilt.
chunk() {
    LC_ALL=C awk -v seed="$1" 'BEGIN { srand(seed) }
        { line[NR] = $0 }
        END {
            for (n = 0; n < 500; n++) {
                text = line[1 + int(rand() * NR)]
                kind = int(rand() * 60)
                if (kind == 0) text = ""
                if (kind == 1) text = text sprintf("%c%c", 128 + rand() * 127, 128 + rand() * 127)
                if (kind == 2) for (i = 0; i < 6; i++) text = text " " text
                if (kind == 3) gsub(/[aeiou]/, sprintf("%c", 1 + rand() * 8), text)
                if (kind == 4) text = sprintf("%*s", rand() * 2000, "x")
                if (kind == 5) gsub(/ /, "", text)
                print text
            }
        }' data/train.en
}

# feed: chunks until the time is up; how many lines they were goes to the file `sent`.
feed() {
    end=$(($(date +%s) + SOAK_SECONDS)) sent=0
    while test "$(date +%s)" -lt $end; do
        chunk $sent
        sent=$((sent + 1))
    done
    echo $((500 * sent)) > sent
}

mkfifo in out
wc -l < out > came & counter=$!
"$DRAGOMAN" translate --quiet --threads 2 --models m.gguf < in > out 2> err & pid=$!
feed > in &
trap 'kill -9 $pid 2> /dev/null || :' 0

memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$pid/status; }
files() { ls /proc/$pid/fd | wc -l; }
warm=$((SOAK_SECONDS / 3))
test $warm -le 60 || warm=60
sleep $warm
memory_before=$(memory) files_before=$(files)
sleep $((SOAK_SECONDS - warm - 2))
memory_after=$(memory) files_after=$(files)
wait $pid
wait $counter
echo "KiB: $memory_before, then $memory_after; files: $files_before, then $files_after;" \
    "lines: $(cat sent), then $(cat came)" >&2
test "$(cat sent)" -eq "$(cat came)"
test "$files_after" = "$files_before"
test "$memory_after" -le $((memory_before + memory_before / 20 + 1024))
