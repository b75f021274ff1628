# rescore_blank.sh: a blank source is not scored: 0 stands for it, and where its translation is not
# blank, a warning says so; other pairs of the file have the scores that they have alone.
set -e
"$DRAGOMAN" import -q "$SOURCE/tests/cli/model/import/fairseq" -o m.gguf
printf 'a b\n\n \nc\n\n' > source
printf 'b a\nx y\nx\n\n\n' > target
"$DRAGOMAN" rescore source target -m m.gguf > scores 2> log
test "$(wc -l < scores)" = 5
test "$(sed -n 2p scores)$(sed -n 3p scores)$(sed -n 5p scores)" = 000
grep -q 'warning: 2 pairs have a blank source and a translation that is not blank' log
printf 'a b\nc\n' > source.some
printf 'b a\n\n' > target.some
"$DRAGOMAN" rescore source.some target.some -m m.gguf > some 2> log
if grep 'blank source' log; then exit 1; fi
sed -n '1p; 4p' scores | cmp - some
