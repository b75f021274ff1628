#!/bin/sh
# check-hardening.sh: from the build folder: what configure says it hardened shows in the program
# and in the shared library. NAMES (all that configure found): what must be there.
LC_ALL=C
export LC_ALL
hardened=$(sed -n 's/^HARDENED = *//p' config.mk)
names=${NAMES-$hardened}
if ! command -v readelf > /dev/null 2>&1; then
    echo 'check-hardening: no readelf here (binutils)'
    exit 1
fi
if test -z "$names"; then
    echo 'check-hardening: configure hardened nothing (config.log says why)'
    exit 1
fi

# shows NAME FILE: whether the file has it.
shows() {
    case $1 in
    fortify) readelf -W --dyn-syms "$2" | grep -q '__[a-z]*_chk' ;;
    stack-protector) readelf -W --dyn-syms "$2" | grep -q '__stack_chk_fail' ;;
    pie) readelf -W -h "$2" | grep -q 'Type: *DYN' ;;
    relro) readelf -W -l "$2" | grep -q 'GNU_RELRO' ;;
    now) readelf -W -d "$2" | grep -q -e 'BIND_NOW' -e 'FLAGS_1.*NOW' ;;
    *) return 1 ;;
    esac
}

status=0
for file in dragoman libdragoman.so.0; do
    test -f $file || continue
    for name in $names; do
        shows "$name" $file && continue
        echo "check-hardening: $file shows no $name"
        status=1
    done
    if readelf -W -l $file | grep -q 'GNU_STACK.*RWE'; then
        echo "check-hardening: the stack of $file is executable"
        status=1
    fi
done
test $status = 0 && echo "check-hardening: ok: $names; no executable stack"
exit $status
