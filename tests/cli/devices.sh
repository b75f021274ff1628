# What the machine offers; a choice of kernels or of a device that it does not offer.
fail() {
    echo "$*"
    exit 1
}
"$DRAGOMAN" devices > list || fail 'devices fails'
test "$(grep -c ' used$' list)" = 1 || fail 'not one table of kernels is used'
grep -q '^cpu: [1-9]' list || fail 'no processors'
grep -q '^  cpu ' list || fail 'no device'
for isa in $(awk '/^kernels:/ { on = 1; next } /^[^ ]/ { on = 0 } on && / (used|available)$/ { print $1 }' list); do
    DGM_CPU=$isa "$DRAGOMAN" devices | grep -q "^  $isa *used\$" || fail "DGM_CPU=$isa"
done
"$DRAGOMAN" devices -j 3 | grep -q '^threads: 3$' || fail '-j'
DGM_CPU=avx9 "$DRAGOMAN" devices 2> err
test $? = 2 || fail 'exit code of an unknown instruction set'
sed 's/available: .*/available: .../' err
DGM_CPU=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "$DRAGOMAN" devices
echo "-> $?"

# A list with an empty entry or too many, and nothing, are wrong use of any command, from anywhere.
wrong() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1 < /dev/null
    echo "-> $?"
}
wrong tok --devices 0,,1
wrong devices -d '0,'
wrong tok -d ''
wrong tok -d 0 1
wrong tok -d '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16'
echo 'devices = ,cpu' > two.conf
wrong tok --config two.conf
DRAGOMAN_DEVICES=, wrong tok
DRAGOMAN_DEVICES=0,1 wrong tok
"$DRAGOMAN" tok -d 'any text' < /dev/null || fail 'a name is looked up though nothing computes'

wrong devices --explain | sed 's/^device: CPU, .*/device: CPU/; s/^all [1-9][0-9]* /all N /'
wrong devices --explain -d cpu,cpu | sed 's/^device: CPU, .*/device: CPU/; s/^all [1-9][0-9]* /all N /'
