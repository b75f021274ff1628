# outputs.sh: what is written never costs what is read, or what was there before: no input is an
# output, whatever it is called; a file is replaced as a whole or not at all; streams stay streams.
. "$SOURCE/tests/support/shell/lib.sh"
bad=0
# wrong WORDS: it is told, and the test goes on.
wrong() {
    echo "failed: $*"
    bad=1
}
# unchanged A B: the files are equal.
unchanged() { cmp "$1" "$2" || wrong "$1 was changed"; }

dragoman() { "$DRAGOMAN" "$@"; }

awk 'BEGIN { for (i = 0; i < 20000; i++) print "word", i }' > big.0
cp big.0 big
printf '1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n' > tree.conllu
dragoman bpe learn -s 20 -i big -o codes || wrong "bpe learn"
cp codes codes.0

# ---- standard input and output by descriptor, names by device and inode --------------------------

refuse 2 'same file' tok -o big < big
unchanged big big.0
refuse 2 'same file' bpe apply -c codes -o big < big
refuse 2 'same file' bpe learn -o big < big
refuse 2 'same file' translate -m codes -o big < big
unchanged big big.0
rc=0
dragoman tok < big >> big 2> err || rc=$?
test $rc = 2 || wrong "tok < big >> big: exit $rc"
grep -q '^standard output: error: input' err || wrong "$(cat err)"
unchanged big big.0
rc=0
dragoman tok -i big >> big 2> err || rc=$?
test $rc = 2 || wrong "tok -i big >> big: exit $rc"
unchanged big big.0
ln -s big soft
ln big hard
for name in ./big soft hard "$PWD/big"; do
    refuse 2 'same file' tok -i big -o "$name"
    refuse 2 'same file' tok -i "$name" -o big
done
unchanged big big.0
refuse 2 'input (--codes) and output' bpe apply -c codes -i big -o codes
unchanged codes codes.0
refuse 2 'same file' bpe vocab -o codes big codes
refuse 2 'same file' vocab -i big -o big
refuse 2 '(--vocabulary)' bpe apply -c codes --vocabulary big -o big
echo 'lower = true' > conf
refuse 2 '(--config)' tok --config conf -i big -o conf
refuse 2 'same file' score big -i codes -o big
refuse 2 '(--input)\|same file' score big -i codes -o codes
refuse 2 '(--metrics)' score -i codes -o big -m bleu big
refuse 2 'same file' convert trees -i tree.conllu -o tree.conllu
refuse 2 '(--compare)' draw tree -i big -c tree.conllu -o tree.conllu
refuse 2 'same file' parse-eval tree.conllu big -o big
refuse 2 'same file' inspect codes -o codes
refuse 2 '(--models)' translate -m codes -i big -o codes
refuse 2 '(--trees)' translate -m codes --trees tree.conllu -i big -o tree.conllu
refuse 2 '(--attention)' translate -m codes -i big --attention big -o x
refuse 2 'attention and --output\|output and --attention' \
    translate -m codes -i big --attention x -o x
refuse 2 '(--models)' rescore big big -m codes -o codes
refuse 2 'same file' rescore big big -m codes -o big
refuse 2 '(--models)' parse -m codes -i big -o codes
refuse 2 '(--codes)' annotate -m big -c codes -i tree.conllu -o codes
unchanged codes codes.0
unchanged big big.0
# Words are no files: an output may be called as an option's word is.
echo old > bleu
dragoman score big -i big -m bleu -o bleu || wrong "an output called bleu"
echo old > word
dragoman bpe apply -c codes --glossaries word -i big -o word || wrong "an output called word"
dragoman completion bash > bash || wrong "a completion in a file called bash"
# The same file for input and output is fine where nothing can be lost.
dragoman tok < /dev/null > /dev/null || wrong "/dev/null twice"

# ---- a model stays, whatever is written ----------------------------------------------------------

printf 'GGUF\3\0\0\0' > model
cp model model.0
spares() { refuse 2 'model: .*is a model and would be replaced' "$@"; }
for output in '-o model' '-o model --report x' '-o x --report model' '-o x --dropped model'; do
    spares clean big $output
done
for output in '--train model --dev x --dev-size 2' '--train x --dev model --dev-size 2' \
    '--train x --test model --test-size 2'; do
    spares split big $output
done
echo '[]' > chart.json
echo 'a (1/1)' > case
for words in tok detok sentences 'truecase train' 'truecase apply -m case' 'truecase undo' \
    'bpe learn -s 2' 'bpe apply -c codes' 'bpe undo' vocab 'spm train --vocab-size 40' 'vectors train --epochs 1 --dim 2' join; do
    case $words in join) set -- join big ;; *) set -- $words -i big ;; esac
    spares "$@" -o model
done
spares bpe vocab big -o model
spares score big -i big -o model
spares convert trees -i tree.conllu -o model
spares draw tree -i tree.conllu -o model
spares parse-eval tree.conllu tree.conllu -o model
cmp model model.0 || wrong "a model was replaced"

# ---- replaced as a whole, or not at all ----------------------------------------------------------

# keeps COMMAND...: fails, and out holds what it held; nothing else is left behind.
keeps() {
    echo old > out
    before=$(ls -A)
    if "$@" > /dev/null 2> err; then wrong "no failure of: $*"; fi
    test "$(cat out)" = old || wrong "$* destroyed its output"
    test "$before" = "$(ls -A)" || wrong "$* left something behind: $(ls -A)"
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
    test $rc -gt 128 || wrong "SIG$signal: exit $rc"
    test "$(cat out)" = old || wrong "SIG$signal destroyed the output"
    test -z "$(ls -A | grep '^\.tmp-')" || wrong "SIG$signal left a temporary file"
done
# On success: the whole result, the mode of the old file, no other names.
echo old > out
chmod 640 out
dragoman tok -i big -o out || wrong "tok -o out"
unchanged out big.0
ls -l out | grep -q '^-rw-r-----' || wrong "the mode of the old file is lost: $(ls -l out)"
test -z "$(ls -A | grep tmp)" || wrong "a temporary file is left"
# A file that may not be written is not replaced, whoever owns the folder.
if test "$(id -u)" != 0; then
    chmod 444 out
    rc=0
    dragoman tok -i tree.conllu -o out 2> err || rc=$?
    test $rc = 1 || wrong "a read-only file: exit $rc"
    unchanged out big.0
    chmod 644 out
fi

# ---- links, streams, folders ---------------------------------------------------------------------

mkdir place
echo old > place/target
ln -s place/target link
ln -s link link2
dragoman tok -i big -o link2 || wrong "tok -o link2"
test -h link2 && test -h link || wrong "a link was replaced"
unchanged place/target big.0
ln -s place/new dangling
dragoman tok -i big -o dangling || wrong "tok -o dangling"
test -h dangling || wrong "a dangling link was replaced"
unchanged place/new big.0
ln -s round1 round2
ln -s round2 round1
refuse 2 'links' tok -i big -o round1
refuse 2 'a folder' tok -i big -o place
refuse 2 'file name' tok -i big -o ''
# A device of our own: root would lose the system's to a mistake.
if mknod null c 1 3 2> /dev/null && (: > null) 2> /dev/null; then
    dragoman tok -i big -o null || wrong "tok to a device"
    test -c null || wrong "a device was replaced"
fi
if test -e /dev/stdout; then
    dragoman tok -i big -o /dev/stdout | cmp - big.0 || wrong "tok -o /dev/stdout"
    { echo before; dragoman tok -i big -o /dev/stdout; echo after; } > around
    { echo before; cat big.0; echo after; } | cmp - around || wrong "tok -o /dev/stdout > file"
fi
cat pipe > piped &
dragoman tok -i big -o pipe || wrong "tok -o pipe"
wait $!
unchanged piped big.0
test -p pipe || wrong "a pipe was replaced"
exit $bad
