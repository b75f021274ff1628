# What the machine offers; a choice of kernels or of a device that it does not offer.
. "$SOURCE/tests/support/shell/lib.sh"
"$DRAGOMAN" devices > list || fail 'devices fails'
test "$(grep -c ' used$' list)" = 1 || fail 'not one table of kernels is used'
grep -q '^cpu: [1-9]' list || fail 'no processors'
grep -q '^  cpu ' list || fail 'no device'
available='/^kernels:/ { on = 1; next } /^[^ ]/ { on = 0 } on && / (used|available)$/ { print $1 }'
for isa in $(awk "$available" list); do
    DGM_CPU=$isa "$DRAGOMAN" devices | grep -q "^  $isa *used\$" || fail "DGM_CPU=$isa"
done
"$DRAGOMAN" devices -j 3 | grep -q '^threads: 3$' || fail '-j'
DGM_CPU=avx9 "$DRAGOMAN" devices 2> err
test $? = 2 || fail 'exit code of an unknown instruction set'
sed 's/available: .*/available: .../' err
DGM_CPU=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "$DRAGOMAN" devices
echo "-> $?"

# A list with an empty entry or too many, and nothing, are wrong use of every command that computes, from
# anywhere; the others have no such option.
try rescore a b --devices 0,,1
try devices -d '0,'
try rescore a b -d ''
try rescore a b -d 0 1
try rescore a b -d '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16'
echo 'devices = ,cpu' > two.conf
try rescore a b --config two.conf
DRAGOMAN_DEVICES=, try rescore a b
DRAGOMAN_DEVICES=, "$DRAGOMAN" tok < /dev/null || fail 'a device though nothing computes'
try rescore a b -d 'any text'
for option in --devices=cpu --gemm=own --precision=f32; do
    try tok $option
done
for command in train train-parser translate rescore parse annotate devices; do
    "$DRAGOMAN" $command --help | grep -q '^  -d, --devices SPEC' || fail "$command has no --devices"
done
test "$("$DRAGOMAN" help --all-options | grep -c -e '--devices')" = 7 || fail 'others have --devices'

try devices --explain | sed 's/^device: CPU, .*/device: CPU/; s/^all [1-9][0-9]* /all N /'
try devices --explain -d 'cpu, no such device' 2>&1 | sed 's/: [^:]*OpenCL.*/: .../'
try devices --explain -d cpu,cpu | sed 's/^device: CPU, .*/device: CPU/; s/^all [1-9][0-9]* /all N /'
