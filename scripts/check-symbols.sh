#!/bin/sh
# check-symbols.sh: from the build folder: the shared library exports nothing but the
# names in tests/golden/symbols.txt, all of them dgm_; and no object of the library refers
# to a function that ends the process, prints, keeps global state or follows the locale.
# GOLDEN=1 rewrites the list.
LC_ALL=C
export LC_ALL
list=$srcdir/tests/golden/symbols.txt
status=0
command -v "${NM%% *}" > /dev/null 2>&1 || { echo "check-symbols: no $NM here"; exit 1; }

forbidden='exit _exit _Exit abort quick_exit printf fprintf vprintf vfprintf puts putchar
perror setlocale signal sigaction rand srand random strtok strtod strtof atoi atof atol
sscanf fscanf scanf isalpha isdigit isspace isalnum isupper islower ispunct toupper tolower
__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc'
"$NM" -A -u libdragoman.a 2> /dev/null |
    awk -v words="$forbidden" '
BEGIN {
    count = split(words, list, /[ \n]+/)
    for (i = 1; i <= count; i++)
        bad[list[i]] = 1
}
{
    name = $NF
    sub(/@.*/, "", name)
    plain = name
    sub(/^__isoc99_/, "", plain)
    sub(/^__/, "", plain)
    sub(/_chk$/, "", plain)
    object = $1
    sub(/:$/, "", object)
    if ((name in bad) || (plain in bad) ||
        (name == "getenv" && object !~ /:(option|environment|launcher)\.o$/))
        print "  " object " refers to " name
}' > out/symbols.bad
if test -s out/symbols.bad; then
    echo 'check-symbols: the library may not call these:'
    cat out/symbols.bad
    status=1
fi

if ! grep -q 'fvisibility=hidden' config.mk; then
    echo 'check-symbols: this compiler cannot hide symbols; exports not compared'
elif test -f libdragoman.so.0; then
    "$NM" -D --defined-only libdragoman.so.0 | awk '{ sub(/@.*/, "", $NF); print $NF }' |
        grep -v -e '^_init$' -e '^_fini$' -e '^_edata$' -e '^_end$' -e '^__bss_start$' |
        sort > out/symbols
    if grep -v '^dgm_' out/symbols > out/symbols.bad; then
        echo 'check-symbols: exported without the prefix dgm_:'
        sed 's/^/  /' out/symbols.bad
        status=1
    fi
    if test -n "${GOLDEN-}"; then
        if test -s out/symbols; then cp out/symbols "$list"; fi
    elif test -f "$list" && ! diff -u "$list" out/symbols; then
        echo 'check-symbols: the exports changed; `make golden` accepts them'
        status=1
    fi
else
    echo 'check-symbols: no shared library in this build; exports not compared'
fi
test $status = 0 && echo 'check-symbols: ok'
exit $status
