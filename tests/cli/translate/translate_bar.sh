# translate_bar.sh: on a terminal, translate shows how far it is, and when a file will be done; with
# --quiet, in a pipe, and where translations go to the terminal, it shows nothing.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 10 --test 10
script -qec true /dev/null > out 2> err ||
    skip "no script(1) of util-linux: the bar on a terminal is not tested"
demo bpe-merges=80 after=10u
valid_on=
train m.gguf --syntax none
for i in 1 2 3 4; do cat data/train.en; done > in.en
lines=$(wc -l < in.en)
translate="exec \"\$DRAGOMAN\" translate -m m.gguf -b 2 --maxi-batch 150 --batch-tokens 100"
# on_terminal COMMAND: what it writes to its terminal, line by line.
on_terminal() {
    echo "$1" > run.sh
    TERM=xterm script -qec 'sh run.sh' /dev/null < /dev/null | tr '\r' '\n'
}

# Cells that become more, sentences, speed, and the time left of a file.
on_terminal "$translate < in.en > text" > out
test "$(wc -l < text)" = $lines
escape=$(printf '\033')
grep '^\[' out > bars || fail "no bar: $(cat -v out)"
grep -v "^\[#*\.*\] [0-9]* sentences, [0-9]*\.[0-9]/s, 0:[0-5][0-9]:[0-5][0-9] left$escape\[K\$" bars &&
    fail "bars that are something else: $(cat -v out)"
sed 's/^\[\(#*\).* \([0-9]*\) sentences.*/x\1 \2/' bars |
    awk '{ if (length($1) < cells || $NF < done || $NF > '$lines') exit 1; cells = length($1); done = $NF }' ||
    fail "a bar that goes back: $(cat -v out)"
tail -c 4 out | grep -q "$escape\[K" || fail "the bar stays: $(cat -v out)"
cp text whole

# What is not known is not said.
on_terminal "cat in.en | (TERM=xterm $translate > text)" > out
cmp text whole
grep -q '^[0-9]* sentences, [0-9]*\.[0-9]/s' out || fail "no bar of a pipe: $(cat -v out)"
if grep -q '^\[\|left' out; then fail "cells, or an end, of a pipe: $(cat -v out)"; fi

# Nothing.
on_terminal "$translate -q < in.en > text" > out
test ! -s out || fail "a bar with --quiet: $(cat -v out)"
on_terminal "$translate < in.en > text 2> err" > out
test ! -s out && test ! -s err || fail "a bar in a file: $(cat -v out)"
on_terminal "head -n 100 in.en | (TERM=xterm $translate)" > out
if grep -q 'sentences' out; then fail "a bar between translations: $(cat -v out)"; fi
