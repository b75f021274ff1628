# Options from files, environment and command line, and where each came from.
try() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1
    echo "-> $?"
}
cat > a.conf <<'END'
# a comment
language = de     # and another
no_such: x
END
try tok --config a.conf
printf 'language: "fr"\r\naggressive = yes\r\n' > b.conf
try tok --config b.conf --dump-config
DRAGOMAN_LANGUAGE=de DRAGOMAN_LOWER=on try tok --dump-config --no-escape
DRAGOMAN_LANGUAGE=de try tok --config b.conf --language en --dump-config -q
try tok --language en --config b.conf --dump-config
echo 'l = en' > bad.conf
try tok --config bad.conf
printf 'language = de\nlanguage = de\n' > bad.conf
try tok --config bad.conf
printf 'threads = 1e3\n' > bad.conf
try tok --config bad.conf
printf 'language "de"\n' > bad.conf
try tok --config bad.conf
printf 'language = "de\n' > bad.conf
try tok --config bad.conf
printf 'config = b.conf\n' > bad.conf
try tok --config bad.conf
try tok --config missing.conf
try tok --config .
export DRAGOMAN_THREADS=many
try tok
