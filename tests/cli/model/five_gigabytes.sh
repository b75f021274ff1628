# five_gigabytes.sh: a model, and a checkpoint, of five gigabytes with a valid head: refused by it, and quickly;
# tests/tensor/gguf/test_gguf_hostile.c counts the bytes that are read.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 40 --dev 5 --test 5
small bpe-merges=0 dim-emb=8 transformer-dim-ffn=8 batch-tokens=200 after=2u save-freq=1u
valid_on=

train one.gguf --quiet
cp one.gguf five.gguf
truncate -s 5G five.gguf 2> /dev/null || skip "no file of five gigabytes here"
# A program of 32 bits (the fifth byte of one of 64 is 2) has no addresses for it.
rc=0
"$DRAGOMAN" inspect five.gguf > /dev/null 2> err || rc=$?
if test $rc = 5 && test "$(head -c 5 "$DRAGOMAN" | tail -c 1 | od -An -tu1 | tr -d ' ')" != 2; then
    grep -q '5368709120 bytes do not fit in memory' err || fail "$(cat err)"
    skip "no file of five gigabytes fits here: it is refused for its size"
fi
refuse 4 'bytes follow the last tensor' inspect five.gguf
refuse 4 'bytes follow the last tensor' translate -m five.gguf < /dev/null
truncate -s 5G one.gguf.ckpt/update-00000002.gguf
rm one.gguf
train one.gguf --quiet
