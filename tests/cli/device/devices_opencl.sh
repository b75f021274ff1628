# devices_opencl.sh: --devices: the list of OpenCL devices, each way to name one, and the same
# translations on a device as on the CPU; where there is no OpenCL, one line says so.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
lines() { wc -l < "$1" | tr -d ' '; }

# The drivers are those that the caller names: the step of CI with sanitizers names none, since a
# driver's compiler leaks.
given=${OCL_ICD_VENDORS-} drivers=${OCL_ICD_VENDORS-/etc/OpenCL/vendors}
no_drivers() { OCL_ICD_VENDORS=/nonexistent; export OCL_ICD_VENDORS; }
given_drivers() { if test "$given"; then OCL_ICD_VENDORS=$given; else unset OCL_ICD_VENDORS; fi; }

no_drivers
"$DRAGOMAN" devices > none
given_drivers
"$DRAGOMAN" devices > list
count=$(grep -c '^      usable with --devices [0-9]' list || :)
gpus=$(grep -c ' auto takes it$' list || :)
if "$DRAGOMAN" version --build | grep -q '^opencl: none'; then
    why='this build has no OpenCL'
    grep -qx "opencl: none: $why" none || fail "no reason: $(cat none)"
    test "$count" = 0 || fail 'devices without OpenCL'
else
    why='OpenCL'
    # Without a loader that obeys the variable, there may be devices still.
    cmp -s none list || test "$(grep -c '^opencl: none: .*OpenCL' none)" = 1 || fail "$(cat none)"
fi

# A driver that is announced and does not open is named, beside those that do and where none does.
mkdir dead both
echo /nonexistent/libdriver.so.1 > dead/dead.icd
: > dead/empty.icd
OCL_ICD_VENDORS=$PWD/dead "$DRAGOMAN" devices > out
if grep -q '^opencl: none: OpenCL knows' none; then
    grep -q "^opencl: none: .*: a driver cannot be opened: $PWD/dead/dead.icd: .*libdriver" out ||
        fail "not named: $(cat out)"
fi
if test "$count" -gt 0 && ls "$drivers"/*.icd > /dev/null 2>&1; then
    cp dead/*.icd "$drivers"/*.icd both/
    OCL_ICD_VENDORS=$PWD/both "$DRAGOMAN" devices > out
    grep -q "^  driver that cannot be opened: $PWD/both/dead.icd: .*libdriver" out ||
        fail "not named: $(cat out)"
    grep -qx "  driver that cannot be opened: $PWD/both/empty.icd: names no library" out ||
        fail "not named: $(cat out)"
fi

# A loader that is there and does not open is why there is nothing.
mkdir broken
echo no library > broken/libOpenCL.so.1
cp broken/libOpenCL.so.1 broken/libOpenCL.so
LD_LIBRARY_PATH=$PWD/broken "$DRAGOMAN" devices > out
if test "$why" = OpenCL && grep -q '^opencl: none: ' out; then
    grep -q '^opencl: none: libOpenCL.so.1 cannot be opened: .*libOpenCL' out || fail "$(cat out)"
fi

# Of whatever there is: a number that is not there, and a name.
for spec in 99 'no such device'; do
    rc=0
    "$DRAGOMAN" devices --explain -d "$spec" > out 2> err || rc=$?
    test $rc = 1 || fail "exit code $rc: -d $spec"
    test "$(lines err)" = 1 || fail "$(cat err)"
    grep -q "$why" err || fail "no reason: $(cat err)"
    test ! -s out || fail "output in spite of an error: $spec"
done

generate data --seed 5 --train 150 --dev 5 --test 5
demo dim-emb=32 transformer-dim-ffn=32 bpe-merges=80 after=60u
valid_on=
train m.gguf

translate() { "$DRAGOMAN" translate -m m.gguf -b 1 "$@" < data/test.en; }
translate > cpu.de 2> err
test "$(lines cpu.de)" = 5 || fail 'no translations'
test ! -s err || fail "notes without need: $(cat err)"
translate -d cpu | cmp - cpu.de

# No OpenCL: auto says so once and goes on, the others end.
no_drivers
if test "$(grep -c '^opencl: none' none)" = 1; then
    translate --devices auto > auto.de 2> err
    cmp auto.de cpu.de
    test "$(lines err)" = 1 || fail "not one line: $(cat err)"
    grep -q "^dragoman: note: computing on the CPU: .*$why" err || fail "no reason: $(cat err)"
    translate --devices auto -q > auto.de 2> err
    test ! -s err || fail "--quiet: $(cat err)"
    for spec in gpu opencl 0; do
        rc=0
        translate --devices $spec > out 2> err || rc=$?
        test $rc = 1 || fail "exit code $rc: --devices $spec"
        test "$(lines err)" = 1 || fail "not one line: $(cat err)"
        grep -q "^dragoman: error: .*$why" err || fail "no reason: $(cat err)"
        test ! -s out || fail "a translation without the device asked for: $spec"
    done
fi
given_drivers
test "$count" -gt 0 || exit 0

# What the device runs and what it does not; a trial of all of it compiles everything.
test "$DEVICE_CHECK" || export DGM_CL_TRUST=0
# The same device by its number, its name in any case, and as any OpenCL device.
"$DRAGOMAN" devices --explain -d auto > auto.txt 2> err || fail "rc $? of -d auto: $(cat err)"
test "$(grep -c '^device: ' auto.txt)" = 1 || fail "no one device: $(cat auto.txt err)"
test "$gpus" = 1 || grep -q 'computing on the CPU: no GPU' err || fail "auto: $(cat err)"
number=$(sed -n 's/^      usable with --devices \([0-9]*\);.*/\1/p' list | sed -n 1p)
name=$(sed -n "s/^  $number  *//p" list | sed -n 1p | tr a-z A-Z)
"$DRAGOMAN" devices --explain -d "$number" > number.txt 2> err || fail "rc $?: $(cat err)"
test "$(sed -n 1p number.txt | tr a-z A-Z)" = "DEVICE: OPENCL, $(echo "$name" | cut -c 1-100)" ||
    fail "another device: $(cat number.txt)"
test "$count" != 1 || "$DRAGOMAN" devices --explain -d "$name" | cmp - number.txt
test "$count" != 1 || "$DRAGOMAN" devices --explain -d opencl | cmp - number.txt
if grep -q '^all [1-9][0-9]* operations run on the device$' number.txt; then
    missing=0
else
    missing=$(sed -n 's/^\([0-9]*\) of [0-9]* operations run on the CPU.*/\1/p' number.txt)
    test "$(sed '1,/run on the CPU/d' number.txt | grep -c '^  [a-z]')" = "$missing" ||
        fail "$(cat number.txt)"
fi
tried='it agrees with the CPU'
test "$DEVICE_CHECK" || tried='it has not been tried'
grep -qx "  gemm  *$tried" number.txt || fail "no word of gemm: $(cat number.txt)"
test "$(sed 1d number.txt | grep -vc "^  [a-z_]*  *it ")" -le $((missing + 1)) ||
    fail "no reasons: $(cat number.txt)"

# It computes the same, and says once of each task that the CPU runs it.
translate -d "$number" > opencl.de 2> err || fail "rc $? of the translation: $(cat err)"
cmp opencl.de cpu.de >&2
unset DGM_CL_TRUST
! grep -v '^dragoman: note: task [a-z_]* runs on the CPU: the device has no kernel for it$' err >&2 ||
    fail 'an unexpected line, above'
test -z "$(sort err | uniq -d)" || fail "told twice: $(cat err)"
test "$(lines err)" -le "$missing" || fail "fallback without --explain: $(cat err)"
"$DRAGOMAN" rescore data/test.en data/test.de -q -m m.gguf > cpu.scores
"$DRAGOMAN" rescore data/test.en data/test.de -q -m m.gguf -d "$number" > opencl.scores
paste cpu.scores opencl.scores |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 1e-3 || NF != 2) { print; exit 1 } }' >&2
