# A parallel corpus cleaned: each rule, files in step, what is refused, and nothing half written.
. "$SOURCE/tests/support/shell/lib.sh"
clean() { "$DRAGOMAN" clean "$@"; }
# refused CODE WORDS COMMAND...: so, and nothing is written.
refused() {
    ends "$@"
    test ! -e x || fail "$* wrote something"
}

# Line by line: what is in it, and what becomes of it.
pair() { printf '%s\n' "$1" >> a.en; printf '%s\n' "$2" >> a.de; echo "$3" >> verdicts; }
pair 'A dog runs .' 'Ein Hund rennt .' kept
pair 'A dog runs .' 'Ein Hund rennt .' duplicate
pair 'A dog runs .' 'Ein Hund lief .' kept
pair '' 'Nichts da .' empty
pair 'Nothing .' ' ' empty
pair 'same text' 'same text' copy
pair 'one two three four' 'eins' ratio
pair 'one two three' 'eins' kept
pair 'A dog' 'Собака бежит' script
pair 'A dog' 'Der Hund "Собака"' kept
pair "a $(printf '%041d' 0)" 'a b' word
pair "a $(printf '%040d' 0)" 'a b' kept
pair "$(printf 'bad \377')" 'schlecht ja' utf-8
pair '1 , 2' '1 ; 2' kept
LC_ALL=C awk 'BEGIN { for (i = 0; i < 251; i++) printf "w "; print "" }' > long
pair "$(cat long)" "$(cat long)" long
awk '{ print NR }' verdicts > a.n
awk '{ printf "# %d\n1\tw%d\t_\t_\t_\t_\t0\troot\t_\t_\n\n", NR, NR }' verdicts > a.conllu
awk '{ print "(S w" NR ")" }' verdicts > a.mrg

set -- --source-lang en --target-lang de
clean a.en a.de a.n --trees a.conllu a.mrg "$@" -o c.en c.de c.n c.conllu c.mrg \
    --report report --dropped dropped 2> err || fail "$(cat err)"
grep -n kept verdicts | sed 's/:.*//' > kept
cmp kept c.n || fail 'other lines stay'
for side in en de; do
    awk 'NR == FNR { keep[$1] = 1; next } FNR in keep' kept a.$side | cmp - c.$side ||
        fail "c.$side"
done
grep '^#' c.conllu | tr -d '# ' | cmp - kept || fail 'trees out of step'
test "$(grep -c '^$' c.conllu)" = "$(wc -l < kept | tr -d ' ')" || fail 'blank lines of trees'
tr -d '(Sw )' < c.mrg | cmp - kept || fail 'brackets out of step'
awk '$1 != "kept" { print NR "\t" $1 }' verdicts | cmp - dropped || fail 'dropped'
{
    printf 'reason\tpairs\tpercent\nall\t15\t100.0\n'
    printf '%s\n' 'kept 6 40.0' 'utf-8 1 6.7' 'empty 2 13.3' 'short 0 0.0' 'long 1 6.7' 'ratio 1 6.7' \
        'word 1 6.7' 'script 1 6.7' 'copy 1 6.7' 'duplicate 1 6.7' 'language 0 0.0' 'held-out 0 0.0' | tr ' ' '\t'
} | diff - report || fail 'report'
grep -q 'note:          6  40.0 %  kept' err || fail "$(cat err)"

# Counting writes nothing, and says the same; -q says nothing.
mkdir empty && (cd empty && clean ../a.en ../a.de "$@" --dry-run -o x y --report z 2> ../err2) || fail 'dry run'
test -z "$(ls empty)" || fail '--dry-run wrote a file'
cmp err err2 || fail 'a dry run counts otherwise'
clean -q a.en a.de 2> err && test ! -s err || fail 'clean -q'

# What is to be tested by: neither side is trained on; sources and targets are held out apart.
printf 'A dog runs .\n\nSchlecht\n' > test.en
printf 'nicht\n\nDer Hund "Собака"\n' > test.de
clean a.en a.de "$@" --without test.en test.de a.n a.n --dropped dropped -o o.en o.de 2> err || fail "$(cat err)"
awk '{ print NR "\t" ($1 == "kept" && NR < 4 || NR == 2 || NR == 10 ? "held-out" : $1) }' verdicts | grep -v kept | cmp - dropped ||
    fail "$(cat dropped)"
grep -q 'note:          4  26.7 %  held-out   a side that was held out' err || fail "$(cat err)"
clean -q a.en --without test.en -o o.en && test "$(grep -c '^A dog runs' o.en)" = 0 || fail 'one side'
refused 2 'without names 1 files; expected two' clean a.en a.de --without test.en -o x y
refused 3 'none: .*No such file' clean a.en a.de --without test.en none -o x y

# Each rule by its option.
kept() { want=$1; shift; clean -q a.en a.de a.n "$@" -o o.en o.de o.n && test "$(wc -l < o.n | tr -d ' ')" = "$want" ||
    fail "$*: $(tr '\n' ' ' < o.n)"; }
kept 7
kept 6 --target-lang Latin
kept 1 --target-lang Cyrl --min-script 1 --min-length 2 --max-length 2
kept 6 --target-lang de --min-script 0.5
kept 5 --target-lang de --min-script 0.9
kept 8 --max-ratio 4
kept 8 --max-ratio 0
kept 6 --max-ratio 2.5
kept 8 --max-word-length 0
kept 6 --max-word-length 39
kept 8 --keep-copies
kept 8 --max-length 251 --keep-copies --max-word-length 40 --duplicates pairs --max-ratio 3 --min-length 2
kept 8 --duplicates none
kept 5 --duplicates source
kept 5 --duplicates sides
kept 7 --duplicates target
kept 8 --on-bad-utf8 keep
refused 3 'a.en:13: .*ill-formed.* or on that of a.de' clean a.en a.de -o x y --on-bad-utf8 error
printf '\n\na\n\n' > e.1
printf '\n\na b\n\n' > e.2
clean -q e.1 e.2 --min-length 0 -o o.1 o.2 && cmp e.1 o.1 && cmp e.2 o.2 || fail 'empty pairs'
# One text alone.
clean -q a.de --target-lang de 2> err && fail 'a target language of one text'
clean -q a.de -o o.de && test "$(wc -l < o.de | tr -d ' ')" = 10 || fail "one text: $(wc -l < o.de)"
# Chinese needs no blanks.
echo '我喜欢猫和狗' > zh
echo 'I like cats and dogs' > zh.en
clean -q zh zh.en --source-lang zh --target-lang en -o o.zh o.en && cmp zh o.zh || fail 'Chinese'

# Streams, and their ends.
clean -q - a.de -o - o.de < a.en | cmp - c.en && fail 'a language is expected here'
clean -q - a.de "$@" -o - o.de < a.en | cmp - c.en || fail 'standard streams'
printf '\357\273\277a b\r\nc d' > crlf
printf 'x y\nz' > lf
clean -q crlf lf -o o.1 o.2 && printf 'a b\nc d\n' | cmp - o.1 && printf 'x y\nz\n' | cmp - o.2 || fail 'ends of lines'
if "$DRAGOMAN" version --build | grep -q '^gzip: zlib$' && command -v gzip > /dev/null 2>&1; then
    gzip -n < a.en > a.en.gz
    gzip -n < a.conllu > a.conllu.gz
    clean -q a.en.gz a.de "$@" --trees a.conllu.gz -o o.en o.de o.conllu && cmp c.en o.en && cmp c.conllu o.conllu ||
        fail 'gzip'
fi
: > none
clean -q none none -o o.1 o.2 && test ! -s o.1 || fail 'no line at all'

# What cannot be.
head -n 9 a.de > short.de
refused 3 'a.en:10: error: line 10 begins here, but short.de has 9 lines' clean a.en short.de -o x y
refused 3 'a.de:10: error: line 10 begins here, but standard input has 9' sh -c 'head -n 9 a.en | "$0" clean - a.de -o x y' "$DRAGOMAN"
head -n 8 a.conllu > short.conllu
refused 3 'a.en:4: .*short.conllu has 3 sentences' clean a.en a.de --trees short.conllu -o x y z
{ cat a.conllu; printf '1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n'; } > more.conllu
refused 3 'more.conllu:46: .*sentence 16 begins here, but a.en has 15 lines' clean a.en a.de --trees more.conllu -o x y z
sed '3s/$/ /' a.conllu > blank.conllu
refused 3 'blank.conllu:3: .*line of blanks' clean a.en a.de --trees blank.conllu -o x y z
refused 2 'needs an argument' clean
refused 2 'names 1 file; expected 2' clean a.en a.de -o x
refused 2 'names 2 files; expected 3' clean a.en a.de --trees a.conllu -o x y
refused 2 'same file' clean a.en a.de -o x a.de
refused 2 'same file' clean a.en a.de --trees a.conllu -o x y a.conllu
refused 2 'same file' clean a.en a.de -o x y --report a.en
refused 2 '--output names x twice' clean a.en a.de -o x x
refused 2 'are both x' clean a.en a.de -o x y --dropped x
refused 2 'stands 2 times' clean - - -o x y
refused 2 'stands 2 times' clean - a.de --trees - -o x y z
refused 2 'no script' clean a.en a.de --source-lang xx
refused 2 'did you mean "Latin"' clean a.en a.de --target-lang Latim
refused 2 'min-script goes with --source-lang or --target-lang, none of' clean a.en a.de --min-script 0.9
refused 2 'max-ratio 0.5: below 1' clean a.en a.de --max-ratio 0.5
refused 2 'at least 5 tokens and at most 4' clean a.en a.de --min-length 5 --max-length 4
refused 2 'expected one of pairs' clean a.en a.de --duplicates all
refused 2 'Did you mean --duplicates' clean a.en a.de --duplicate none
refused 2 'expected a size' clean a.en a.de --memory lots
refused 3 'missing' clean a.en missing -o x y
refused 1 'nowhere' clean a.en a.de -o nowhere/x y
# After a failure all files are what they were.
echo old > o.en
echo old > o.de
refused 3 'begins here' clean a.en short.de -o o.en o.de
test "$(cat o.en o.de | tr '\n' ' ')" = 'old old ' || fail 'an output was destroyed'
# Of an option that is given twice the later one counts; lists go on.
clean -q a.en a.de "$@" --max-ratio 9 --max-ratio 3 -o o.en -o o.de && cmp c.en o.en && cmp c.de o.de || fail 'twice'
# Memory has a limit that is kept.
awk 'BEGIN { for (i = 0; i < 200000; i++) print "number", i }' > many.1
awk 'BEGIN { for (i = 0; i < 200000; i++) print "Zahl", i }' > many.2
clean -q many.1 many.2 -o o.1 o.2 && cmp many.1 o.1 || fail 'many'
refused 5 'memory' clean many.1 many.2 --memory 1M -o x y
test -z "$(ls -A | grep '^\.tmp-')" || fail 'a temporary file is left'
