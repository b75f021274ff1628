# outputs.sh: what is written never costs what is read, or what was there before: no input is an
# output, whatever it is called; a file is replaced as a whole or not at all; streams stay streams.
exec >&2
bad=0
fail() {
    echo "failed: $*"
    bad=1
}

# refuse WORDS COMMAND...: exit 2, with these words on standard error.
refuse() {
    words=$1
    shift
    rc=0
    "$@" > refused.out 2> refused.err || rc=$?
    test $rc = 2 || fail "exit $rc of: $* ($(cat refused.err))"
    grep -q -e "$words" refused.err || fail "message of $*: $(cat refused.err)"
}

# same A B: the files are equal.
same() { cmp "$1" "$2" || fail "$1 was changed"; }

dragoman() { "$DRAGOMAN" "$@"; }

awk 'BEGIN { for (i = 0; i < 20000; i++) print "word", i }' > big.0
cp big.0 big
printf '1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n' > tree.conllu
dragoman bpe learn -s 20 -i big -o codes || fail "bpe learn"
cp codes codes.0

# ---- standard input and output by descriptor, names by device and inode --------------------------

refuse 'same file' dragoman tok -o big < big
same big big.0
refuse 'same file' dragoman bpe apply -c codes -o big < big
refuse 'same file' dragoman bpe learn -o big < big
refuse 'same file' dragoman translate -m codes -o big < big
same big big.0
rc=0
dragoman tok < big >> big 2> err || rc=$?
test $rc = 2 || fail "tok < big >> big: exit $rc"
grep -q '^standard output: error: input' err || fail "$(cat err)"
same big big.0
rc=0
dragoman tok -i big >> big 2> err || rc=$?
test $rc = 2 || fail "tok -i big >> big: exit $rc"
same big big.0
ln -s big soft
ln big hard
for name in ./big soft hard "$PWD/big"; do
    refuse 'same file' dragoman tok -i big -o "$name"
    refuse 'same file' dragoman tok -i "$name" -o big
done
same big big.0
refuse 'input (--codes) and output' dragoman bpe apply -c codes -i big -o codes
same codes codes.0
refuse 'same file' dragoman bpe vocab -o codes big codes
refuse 'same file' dragoman vocab -i big -o big
refuse '(--vocabulary)' dragoman bpe apply -c codes --vocabulary big -o big
echo 'lower = true' > conf
refuse '(--config)' dragoman tok --config conf -i big -o conf
refuse 'same file' dragoman score big -i codes -o big
refuse '(--input)\|same file' dragoman score big -i codes -o codes
refuse '(--metrics)' dragoman score -i codes -o big -m bleu big
refuse 'same file' dragoman convert trees -i tree.conllu -o tree.conllu
refuse '(--compare)' dragoman draw tree -i big -c tree.conllu -o tree.conllu
refuse 'same file' dragoman parse-eval tree.conllu big -o big
refuse 'same file' dragoman inspect codes -o codes
refuse '(--models)' dragoman translate -m codes -i big -o codes
refuse '(--trees)' dragoman translate -m codes --trees tree.conllu -i big -o tree.conllu
refuse '(--attention)' dragoman translate -m codes -i big --attention big -o x
refuse 'attention and --output\|output and --attention' \
    dragoman translate -m codes -i big --attention x -o x
refuse '(--models)' dragoman rescore big big -m codes -o codes
refuse 'same file' dragoman rescore big big -m codes -o big
refuse '(--models)' dragoman parse -m codes -i big -o codes
refuse '(--codes)' dragoman annotate -m big -c codes -i tree.conllu -o codes
same codes codes.0
same big big.0
# Words are no files: an output may be called as an option's word is.
echo old > bleu
dragoman score big -i big -m bleu -o bleu || fail "an output called bleu"
echo old > word
dragoman bpe apply -c codes --glossaries word -i big -o word || fail "an output called word"
dragoman completion bash > bash || fail "a completion in a file called bash"
# The same file for input and output is fine where nothing can be lost.
dragoman tok < /dev/null > /dev/null || fail "/dev/null twice"

# ---- replaced as a whole, or not at all ----------------------------------------------------------

# keeps COMMAND...: fails, and out holds what it held; nothing else is left behind.
keeps() {
    echo old > out
    before=$(ls -A)
    if "$@" > /dev/null 2> err; then fail "no failure of: $*"; fi
    test "$(cat out)" = old || fail "$* destroyed its output"
    test "$before" = "$(ls -A)" || fail "$* left something behind: $(ls -A)"
}
: > err
printf '1\ta\t_\t_\t_\t_\t7\t_\t_\t_\n\n' > bad.conllu
cat tree.conllu tree.conllu tree.conllu bad.conllu > late.conllu
keeps dragoman convert trees -i late.conllu -o out
keeps dragoman draw tree -i missing.conllu -o out
printf '\377\376a\n' > utf16
keeps dragoman tok -i utf16 -o out
keeps dragoman score big.0 -i codes -o out
keeps dragoman parse-eval tree.conllu bad.conllu -o out
keeps dragoman inspect big -o out
if printf 'a\n' | gzip -c > a.gz 2> /dev/null && dragoman tok -i a.gz > /dev/null 2>&1; then
    gzip -c big > big.gz
    head -c $(($(wc -c < big.gz) / 2)) big.gz > cut.gz
    keeps dragoman tok -i cut.gz -o out
fi
# A signal. Jobs in the background ignore SIGINT, but where env can undo that.
mkfifo pipe
for signal in TERM HUP INT; do
    set --
    if test $signal = INT; then
        set -- env --default-signal=INT
        "$@" true 2> /dev/null || continue
    fi
    echo old > out
    "$@" "$DRAGOMAN" tok -o out < pipe &
    pid=$!
    exec 3> pipe
    cat big >&3
    while ! ls -A | grep -q '^\.tmp-' && kill -0 $pid; do sleep 0.05; done
    kill -$signal $pid
    rc=0
    wait $pid 2> /dev/null || rc=$?
    exec 3>&-
    test $rc -gt 128 || fail "SIG$signal: exit $rc"
    test "$(cat out)" = old || fail "SIG$signal destroyed the output"
    test -z "$(ls -A | grep '^\.tmp-')" || fail "SIG$signal left a temporary file"
done
# On success: the whole result, the mode of the old file, no other names.
echo old > out
chmod 640 out
dragoman tok -i big -o out || fail "tok -o out"
same out big.0
ls -l out | grep -q '^-rw-r-----' || fail "the mode of the old file is lost: $(ls -l out)"
test -z "$(ls -A | grep tmp)" || fail "a temporary file is left"
# A file that may not be written is not replaced, whoever owns the folder.
if test "$(id -u)" != 0; then
    chmod 444 out
    rc=0
    dragoman tok -i tree.conllu -o out 2> err || rc=$?
    test $rc = 1 || fail "a read-only file: exit $rc"
    same out big.0
    chmod 644 out
fi

# ---- links, streams, folders ---------------------------------------------------------------------

mkdir place
echo old > place/target
ln -s place/target link
ln -s link link2
dragoman tok -i big -o link2 || fail "tok -o link2"
test -h link2 && test -h link || fail "a link was replaced"
same place/target big.0
ln -s place/new dangling
dragoman tok -i big -o dangling || fail "tok -o dangling"
test -h dangling || fail "a dangling link was replaced"
same place/new big.0
ln -s round1 round2
ln -s round2 round1
refuse 'links' dragoman tok -i big -o round1
refuse 'a folder' dragoman tok -i big -o place
refuse 'file name' dragoman tok -i big -o ''
# A device of our own: root would lose the system's to a mistake.
if mknod null c 1 3 2> /dev/null && (: > null) 2> /dev/null; then
    dragoman tok -i big -o null || fail "tok to a device"
    test -c null || fail "a device was replaced"
fi
if test -e /dev/stdout; then
    dragoman tok -i big -o /dev/stdout | cmp - big.0 || fail "tok -o /dev/stdout"
    { echo before; dragoman tok -i big -o /dev/stdout; echo after; } > around
    { echo before; cat big.0; echo after; } | cmp - around || fail "tok -o /dev/stdout > file"
fi
cat pipe > piped &
dragoman tok -i big -o pipe || fail "tok -o pipe"
wait $!
same piped big.0
test -p pipe || fail "a pipe was replaced"
exit $bad
