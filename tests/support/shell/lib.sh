# lib.sh: the words that scripts of tests/cli share. Each means one thing in all of them.

fail() { echo "$*" >&2; exit 1; }
# skip WHY: the test cannot run here.
skip() { echo "$*"; exit 77; }

# generate FOLDER OPTION...: sentences of the built-in treebank.
generate() {
    test -x "$GENERATE" || skip "no generator"
    "$GENERATE" --out "$@" > /dev/null || fail "no sentences"
}

# try COMMAND OPTION...: shows a command, what it writes, and its exit code.
try() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1
    echo "-> $?"
}

# said WORDS, silent WORDS: the file `log` has them, or not.
said() { grep -q -e "$1" log || fail "expected: $1; got: $(cat log)"; }
silent() { if grep -q -e "$1" log; then fail "not expected: $1; got: $(cat log)"; fi; }
differ() { if cmp -s "$1" "$2"; then fail "$1 and $2 are the same"; fi; }

# ends CODE WORDS COMMAND...: a program or a function ends so, with one message, which has the words;
# what it writes is in the files `out` and `err`.
ends() {
    want=$1 says=$2 rc=0
    shift 2
    ("$@") > out 2> err || rc=$?
    test $rc = "$want" || fail "exit code $rc instead of $want: $*: $(cat err)"
    grep -q -e "$says" err || fail "no \"$says\": $*: $(cat err)"
    test "$(grep -c error: err)" = 1 || fail "more than a message: $*: $(cat err)"
}

# briefly CODE WORDS COMMAND...: the same, in one line.
briefly() {
    ends "$@"
    test "$(wc -l < err)" = 1 || fail "more than a line: $*: $(cat err)"
}

# refuse CODE WORDS COMMAND OPTION...: so does `dragoman COMMAND OPTION...`.
refuse() {
    code=$1 says=$2
    shift 2
    ends "$code" "$says" "$DRAGOMAN" "$@"
}

# has_gzip: the program reads gzip files, and one can be made.
has_gzip() { "$DRAGOMAN" version --build | grep -q '^gzip: zlib$' && command -v gzip > /dev/null 2>&1; }
# measures_memory: the build has no memory of its own beside each byte, as one under MemorySanitizer has.
measures_memory() { test -z "${TEST_SHADOW-}" || skip "the build doubles its memory: the promise is not tested"; }

# killed SECONDS COMMAND...: it is killed after so long, if it still runs.
killed() {
    pause=$1
    shift
    "$@" & pid=$!
    sleep "$pause"
    kill -9 $pid 2> /dev/null || :
    wait $pid 2> /dev/null || :
}

# killed_saving MODEL COMMAND...: so is a training as soon as it has a checkpoint that it had not.
killed_saving() {
    folder=$1.ckpt
    shift
    had=$(ls "$folder"/update-*.gguf 2> /dev/null | tail -n 1)
    "$@" & pid=$!
    while test "$(ls "$folder"/update-*.gguf 2> /dev/null | tail -n 1)" = "$had"; do
        kill -0 $pid 2> /dev/null || break
        sleep 0.01
    done
    kill -9 $pid 2> /dev/null || :
    wait $pid 2> /dev/null || :
}

# ---- small models --------------------------------------------------------------------------------

# What `start` runs: the command, its texts (empty: none), and a program that runs it, such as env.
trainer=train under= train_on='--train-sets data/train.en data/train.de' valid_on='--valid-sets data/dev.en data/dev.de'

# settings NAME=VALUE...: writes small.conf; of two values of a name the first counts.
settings() { printf '%s\n' "$@" | awk -F ' *= *' '!seen[$1]++' > small.conf; }
# small NAME=VALUE...: a Transformer of one layer that trains in a second, with these settings.
small() {
    settings "$@" tokenize=none bpe-merges=60 enc-depth=1 dec-depth=1 dim-emb=16 transformer-dim-ffn=24 \
        transformer-heads=2 batch-tokens=150 lr=0.01 warmup=10
}
# demo NAME=VALUE...: that of the recipe, smaller.
demo() {
    settings "$@" average=0 dim-emb=16 transformer-dim-ffn=16 "$(cat "$SOURCE/corpora/recipes/demo.conf")"
}

# start MODEL OPTION...: becomes the trainer, so that a signal reaches it and nothing else.
start() {
    model=$1
    shift
    # shellcheck disable=SC2086
    exec $under "$DRAGOMAN" $trainer --config small.conf --model "$model" $train_on $valid_on "$@"
}
# train MODEL OPTION...: trains to the end; what it says is in the file `log`, and shown if it fails.
train() { (start "$@" 2> log) || { rc=$?; cat log >&2; return $rc; }; }
# untrained CODE WORDS OPTION...: there is no training with these.
untrained() {
    code=$1 says=$2
    shift 2
    ends "$code" "$says" start x.gguf "$@"
    test ! -e x.gguf && test ! -e x.gguf.ckpt || fail "a run that was refused wrote files: $*"
}

# parser MODEL TREEBANK OPTION...: trains a small parser.
parser() {
    model=$1 treebank=$2
    shift 2
    "$DRAGOMAN" train-parser --quiet --train-sets "$treebank" --min-freq 1 --after 25u \
        --save-freq 25u --warmup 5 --dim-emb 16 --dim-lstm 16 --dim-piece 8 --dim-piece-lstm 8 \
        --enc-depth 1 --dim-arc 16 --dim-label 8 --dim-tag 8 --max-length 30 --model "$model" "$@"
}
