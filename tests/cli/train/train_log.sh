# train_log.sh: what a training run says on standard error: lines with the time, as Marian's have;
# on a terminal a bar too, which no log line mixes with, and nowhere else.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 120 --dev 10 --test 10
small bpe-merges=0 after=30u disp-freq=10u 'train-sets=data/train.en data/train.de'
train_on= valid_on=
stamp='^\[20[0-9][0-9]-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-6][0-9]\] '

train m.gguf --overwrite
grep -v "$stamp" log && fail "lines without the time"
test $(grep -c "${stamp}Ep\. [0-9]* : Up\. [123]0 : Sen\. .* : Cost .* : Time .* words/s" log) = 3 ||
    fail "$(cat log)"
# It is that of here, and of now.
TZ=UTC0 train m.gguf --overwrite
LC_ALL=C TZ=UTC0 date '+%Y-%m-%d %H:' > hour
grep -qF "[$(cat hour)" log || LC_ALL=C TZ=UTC0 date '+%Y-%m-%d %H:' | grep -vqFf hour ||
    fail "not $(cat hour): $(cat log)"
TZ=XYZ-5 train m.gguf --overwrite
LC_ALL=C TZ=XYZ-5 date '+%Y-%m-%d %H:' > hour
grep -qF "[$(cat hour)" log || LC_ALL=C TZ=XYZ-5 date '+%Y-%m-%d %H:' | grep -vqFf hour ||
    fail "not $(cat hour): $(cat log)"
# An error is for people and editors.
ends 2 '^dragoman: error: ' start m.gguf --lr -1

# The bar.
grep -q words/s.*left log && fail "a bar in a file"
echo 'exec "$DRAGOMAN" train --config small.conf --no-resume --model m.gguf' > run.sh
script -qec true /dev/null > out 2> err ||
    skip "no script(1) of util-linux: the bar on a terminal is not tested"
TERM=xterm script -qec 'sh run.sh' /dev/null < /dev/null | tr '\r' '\n' > out
grep '^\[#*\.*\] [0-9]*/[0-9]* batches, ' out > bars || fail "no bar: $(cat -v out)"
escape=$(printf '\033')
grep -v "^\[[#.]*\] [0-9]*/\([0-9]*\) batches, epoch [1-9], cost [0-9.]*, [0-9]* words/s, 0:0[0-9]:[0-9][0-9] left$escape\[K\$" bars &&
    fail "bars that are something else"
awk 'length($0) > 79 + 3 { print; wide = 1 } END { exit wide }' bars || fail "too wide"
test $(grep -c "^$escape\[K\[20.*Up\. [123]0 : " out) = 3 || fail "no line erased: $(cat -v out)"
for term in dumb ''; do
    TERM=$term script -qec 'sh run.sh' /dev/null < /dev/null > out
    if grep -q "left\|$escape" out; then fail "a bar on TERM=$term: $(cat -v out)"; fi
    grep -q 'Up\. 30' out
done
TERM=xterm NO_COLOR=1 script -qec 'sh run.sh' /dev/null < /dev/null > out
if grep -q "$escape\[[0-9;]*m" out; then fail "colours: $(cat -v out)"; fi
