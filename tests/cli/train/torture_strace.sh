# torture_strace.sh: in `make check-long`: each call to the system that the real program makes in a
# training fails once, or is its last, by strace: the code that it ends with is one of ours, and the
# run that follows has the bytes of an undisturbed one.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
test -n "$TEST_LONG" || skip "make check-long runs it"
strace -o /dev/null true 2> /dev/null || skip "strace is missing, or may not trace"
generate data --seed 3 --train 60 --dev 5 --test 5
ASAN_OPTIONS=detect_leaks=0:$ASAN_OPTIONS # it needs ptrace for itself
export ASAN_OPTIONS

# run FOLDER COMMAND...: what the command, strace or none, makes of a run of 6 updates.
run() {
    to=$1
    shift
    "$@" "$DRAGOMAN" train --quiet --threads 1 --tokenize none --bpe-merges 0 --enc-depth 1 \
        --dec-depth 1 --dim-emb 8 --transformer-dim-ffn 8 --transformer-heads 2 --max-length 60 \
        --batch-tokens 150 --lr 0.01 --after 6u --save-freq 2u --valid-freq 4u --disp-freq 2u \
        --model "$to/m.gguf" --train-sets data/train.en data/train.de \
        --valid-sets data/dev.en data/dev.de
}

# quiet: the folder `broken` has what a quiet run leaves.
quiet() {
    cmp whole/m.gguf broken/m.gguf
    sed 's/, "wps".*//' broken/m.gguf.ckpt/metrics.jsonl > metrics
    cmp whole.metrics metrics
}

calls='openat read write pwrite64 pread64 fsync rename unlink link ftruncate mkdir close fcntl fstat
newfstatat getdents64 mmap'
mkdir whole
run whole strace -o all "-e$(echo trace=$calls | tr ' ' ',')"
sed 's/, "wps".*//' whole/m.gguf.ckpt/metrics.jsonl > whole.metrics

# What each call may fail with; all may be the last before a kill.
errors() {
    case $1 in
    openat) echo ENOSPC EMFILE EINTR EACCES ;;
    read | pread64) echo EIO EINTR ;;
    write | pwrite64) echo ENOSPC EIO EINTR ;;
    fsync) echo EIO ENOSPC EINTR ;;
    link) echo EPERM EMLINK ;;
    mkdir) echo ENOSPC EACCES ;;
    fcntl) echo ENOLCK ;;
    mmap) echo ENOMEM ;;
    rename | ftruncate) echo EIO ENOSPC ;;
    *) echo EIO ;;
    esac
}

# Memory that the loader of the program lacks is not ours to bear.
strace -o loader -etrace=mmap "$DRAGOMAN" help > /dev/null
first() {
    if test $1 = mmap; then grep -c '^mmap(' loader; else echo 0; fi
}

tried=0 outside=0
for call in $calls; do
    count=$(grep -c "^$call(" all) || continue
    for what in $(errors $call | sed 's/[A-Z]*/error=&/g') signal=KILL; do
        n=$(first $call)
        while test $n -lt $count; do
            n=$((n + 1)) rc=0
            rm -rf broken && mkdir broken
            run broken strace -o log "-einject=$call:$what:when=$n" 2> err || rc=$?
            case $rc in
            0 | 1 | 3 | 4 | 5 | 137) tried=$((tried + 1)) ;;
            127) outside=$((outside + 1)) ;; # the loader of the program, before it began
            *)
                echo "$call $n, $what: ended with $rc: $(cat err)"
                exit 1 ;;
            esac
            run broken 2> err || { echo "$call $n, $what: no resume: $(cat err)"; exit 1; }
            quiet || { echo "$call $n, $what: other bytes"; exit 1; }
        done
    done
done >&2
echo "$tried calls" >&2
