# casing.sh: translate --case auto: lines in capitals and titles are translated as the sentences that they are, and written
# as they were; other lines as ever, whatever the batches and threads.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 7 --train 60 --dev 5 --test 12
small after=2u save-freq=2u valid-freq=2u max-length=60 bpe-merges=0
train m.gguf
upper() { tr '[:lower:]' '[:upper:]'; }
titled() { awk '{ for (i = 1; i <= NF; i++) $i = toupper(substr($i, 1, 1)) substr($i, 2) } { print }'; }
translate() { "$DRAGOMAN" translate -q -m m.gguf "$@"; }

head -n 12 data/train.en > plain
translate < plain > want
translate --case auto < plain | cmp - want # nothing to do

LC_ALL=C upper < plain > shouted
translate --case auto < shouted > got
translate < shouted > kept
LC_ALL=C upper < want > raised
# Those whose words are all known, in small letters, are the sentences themselves.
LC_ALL=C upper < got | cmp - raised
differ got kept
if grep '[a-z]' got; then fail 'small letters in the translation of capitals'; fi
translate --case keep < shouted | cmp - kept
translate --case auto -j 3 --maxi-batch 2 --batch-tokens 1 < shouted | cmp - got
translate --case auto --n-best 2 < shouted | sed -n 's/^[0-9]* ||| \(.*\) ||| logp.*/\1/p' | awk 'NR % 2' | cmp - got
head -n 1 got > got.1
# Between other lines, blank ones, and a title.
{ head -n 1 plain; echo; head -n 1 shouted; head -n 1 plain | titled; } > mixed
{ head -n 1 want; echo; head -n 1 got; } > mixed.want
translate --case auto < mixed > got.mixed
head -n 3 got.mixed | cmp - mixed.want
tail -n 1 got.mixed | LC_ALL=C upper | cmp - got.1
refuse 2 'expected one of keep.auto, got "title"' translate -m m.gguf --case title -i plain
