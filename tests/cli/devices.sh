# What the machine offers; a choice of kernels that it does not offer.
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
