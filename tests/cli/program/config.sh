# Options from files, environment and command line, and where each came from.
. "$SOURCE/tests/support/shell/lib.sh"
cat > a.conf <<'END'
# a comment
language = de     # and another
no_such: x
END
try tok --config a.conf
printf 'language: "fr"\r\naggressive = yes\r\n' > b.conf
try tok --config b.conf --dump-config
DRAGOMAN_LANGUAGE=de DRAGOMAN_LOWER=on try tok --dump-config --no-escape
# A variable, as a file, has one form of a flag.
DRAGOMAN_NO_ESCAPE=1 try tok
DRAGOMAN_ESCAPE=false try tok --dump-config
DRAGOMAN_CONFIG=b.conf try tok --dump-config
DRAGOMAN_LANGUAGE=de try tok --config b.conf --language en --dump-config -q
try tok --language en --config b.conf --dump-config
# The command line wins over every file, wherever the two stand; of two files the later wins.
printf 'bpe-merges = 6000\nmin-freq = 3\ntrain-sets = a.en a.de\n' > x.conf
printf 'min-freq = 4\n' > y.conf
# shown OPTION...: three options of a training with these.
shown() {
    echo "\$ dragoman train $* --dump-config"
    "$DRAGOMAN" train "$@" --dump-config | grep -E '^(bpe-merges|min-freq|train-sets) '
}
shown --bpe-merges 2000 --config x.conf
shown --config x.conf --bpe-merges 2000 -t b.en b.de
shown --config x.conf -t b.en --config y.conf --bpe-merges=1 -t c.en c.de --bpe-merges=2
shown --config y.conf --config x.conf
"$DRAGOMAN" vocab -i a b --size 5 -i c --dump-config | sed -n 1p
try train -t a.en a.de -v a b c
printf '\nlangage = en\n' > bad.conf
try tok --config bad.conf
printf 'normal: x\n' > bad.conf
try tok --config bad.conf
printf 'learning_rat = 1\n' > bad.conf
try train --config bad.conf
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

# One file for all commands: what only others have, or take, is passed over; what nobody has is an
# error, and so is a value that nobody takes. A file of --config is this command's.
DRAGOMAN_CONFIG=x.conf try tok
DRAGOMAN_CONFIG=x.conf try tok --dump-config
printf 'min-freq = 2 3\n' > two.conf
DRAGOMAN_CONFIG=two.conf try train-parser --dump-config | grep 'min-freq\|->\|error'
DRAGOMAN_CONFIG=two.conf try train --dump-config | grep 'min-freq\|->\|error'
printf '\nmin-freq = none\n' > bad.conf
DRAGOMAN_CONFIG=bad.conf try train-parser
printf 'bpe-merges = 1\nbpe-merge = 1\n' > bad.conf
DRAGOMAN_CONFIG=bad.conf try tok
try tok --config x.conf
for command in train train-parser translate score; do
    "$DRAGOMAN" $command --dump-config > $command.conf
    sed -n 's/^CMD(\([a-z_]*\))$/\1/p' "$SOURCE/src/cmd/cmd_list.h" | tr _ - |
        while read -r other; do
            DRAGOMAN_CONFIG=$command.conf "$DRAGOMAN" "$other" --dump-config > dumped 2>&1 ||
                echo "the settings of $command in $other: $(cat dumped)"
        done
done
export DRAGOMAN_THREADS=many
try tok
