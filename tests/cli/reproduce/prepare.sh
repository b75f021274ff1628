# prepare.sh: of archives as they are published scripts/prepare makes the text of each corpus that scripts/corpora names,
# or says what is missing and leaves nothing.
. "$SOURCE/tests/support/shell/lib.sh"
prepare() { sh "$SOURCE/scripts/prepare" "$@"; }

# talks LANGUAGE LINE...: a train.tags file; set FILE LINE...: a test set.
talks() {
    file=$1
    shift
    { echo '<url>http://x.org/talk</url>' && echo '<talkid>1</talkid>' && echo "<title>$1</title>" &&
        printf ' %s \n' "$@" && echo '<reviewer></reviewer>'; } > "$file"
}
segments() {
    file=$1
    shift
    { echo '<srcset setid="s" srclang="any">' && echo '<doc docid="1"><p>'
        n=0; for line in "$@"; do n=$((n + 1)); echo "<seg id=\"$n\"> $line </seg>"; done
        echo '</p></doc></srcset>'; } > "$file"
}
# has FILE LINE...: these are its lines.
has() {
    file=$1
    shift
    printf '%s\n' "$@" | cmp -s - "$file" || fail "$file: $(cat "$file"); expected $*"
}

# IWSLT14: pairs of 1 to 175 words and at most 1.5 times the other side; the 23rd of those is for validation.
mkdir de-en
set -- $(awk 'BEGIN { for (i = 1; i <= 21; i++) print i "." }')
talks de-en/train.tags.de-en.de "Guten Tag, Welt!" "$@" "eins zwei drei vier" "Ich & Du"
talks de-en/train.tags.de-en.en "Good day, world!" "$@" "one two" "You & me"
for set in TED.dev2010 TEDX.dev2012 TED.tst2010 TED.tst2011 TED.tst2012; do
    segments de-en/IWSLT14.$set.de-en.de.xml "Das ist's."
    segments de-en/IWSLT14.$set.de-en.en.xml "It’s $set"
done
prepare iwslt14 de-en iwslt14 > log || fail 'no iwslt14'
test "$(sort -u iwslt14/test.en | wc -l)" = 5 && test "$(wc -l < iwslt14/test.de)" = 5 || fail 'not five sets'
test "$(head -n 1 iwslt14/test.en)" = 'it &apos;s ted.dev2010' || fail "test: $(head -n 1 iwslt14/test.en)"
test "$(head -n 1 iwslt14/train.de)" = 'guten tag , welt !' || fail "train: $(head -n 1 iwslt14/train.de)"
has iwslt14/valid.en '21 .'
test "$(tail -n 1 iwslt14/train.de)" = 'ich &amp; du' && test "$(wc -l < iwslt14/train.en)" = 23 || fail 'iwslt14/train'
ls iwslt14 | grep -v -x -e '\(train\|valid\|test\)\.\(de\|en\)' && fail 'more than the corpus'
cd de-en && prepare iwslt14 . ../again > ../log && cd .. && diff -r iwslt14 again || fail 'from inside: not the same'

# IWSLT15: as it is, without empty sides.
mkdir vi
for side in en vi; do
    printf '%s\n' "one $side" '' 'a &apos;b' > vi/train.$side
    echo "two $side" > vi/tst2012.$side && echo "three $side" > vi/tst2013.$side
done
printf '%s\n' 'one vi' 'xin' 'a &apos;b' > vi/train.vi
prepare iwslt15 vi iwslt15 > log || fail 'no iwslt15'
has iwslt15/train.en 'one en' 'a &apos;b'
has iwslt15/valid.vi 'two vi'
has iwslt15/test.vi 'three vi'

# WMT16 and its News Commentary, which stands in the other direction beside.
mkdir -p wmt/training wmt/training-parallel-nc-v11 wmt/dev wmt/test
for side in de en; do
    echo "Europarl, $side." > wmt/training/europarl-v7.de-en.$side
    echo "Crawl, $side." > wmt/commoncrawl.de-en.$side
    echo "News, $side." > wmt/training-parallel-nc-v11/news-commentary-v11.de-en.$side
done
awk 'BEGIN { for (i = 1; i <= 51; i++) printf "w "; print "" }' > long
cat long >> wmt/training-parallel-nc-v11/news-commentary-v11.de-en.de
echo 'long' >> wmt/training-parallel-nc-v11/news-commentary-v11.de-en.en
for year in dev/newstest2015 test/newstest2016; do
    segments wmt/$year-deen-src.de.sgm "Von $year."
    segments wmt/$year-deen-ref.en.sgm "Into $year."
    segments wmt/$year-ende-src.en.sgm "From $year."
    segments wmt/$year-ende-ref.de.sgm "Nach $year."
done
prepare wmt16 wmt wmt16 > log || fail 'no wmt16'
has wmt16/train.de 'Europarl , de .' 'Crawl , de .' 'News , de .' "$(sed 's/ $//' long)"
has wmt16/valid.de 'Von dev / newstest2015 .'
prepare nc11 wmt nc11 > log || fail 'no nc11'
has nc11/train.en 'News , en .'
has nc11/test.de 'Nach test / newstest2016 .'

# The Kyoto Free Translation Task.
mkdir -p kyoto/data/tok
for side in ja en; do
    for part in train.cln dev test; do echo "$part $side" > kyoto/data/tok/kyoto-$part.$side; done
done
prepare kftt kyoto kftt > log || fail 'no kftt'
has kftt/train.ja 'train.cln ja'

# What is made is what the corpus's file names; nothing is left out here.
for file in "$SOURCE"/scripts/corpora/*.prepare; do
    name=${file##*/} name=${name%.prepare}
    for text in $(sed -n 's/^\(train\|valid\|test\) = //p' "$SOURCE/scripts/corpora/$name.conf"); do
        test -s "$name/$text" || fail "$name: no $text"
    done
done
cat > one.table <<'END'
@recipe    demo.conf
plain | Transformer | none | - | - | -
END
sh "$SOURCE/scripts/reproduce" ./one.table --corpus iwslt15 --data iwslt15 --dry-run --out tried 2> log ||
    { cat log; fail 'reproduce does not take it'; }

# Refusals leave nothing.
ends 2 'there is no .*/kyoto/train.en' prepare iwslt15 kyoto other
ends 2 'no corpus "iwslt16"' prepare iwslt16 kyoto other
ends 2 'iwslt15 is there already' prepare iwslt15 vi iwslt15
rm wmt/test/newstest2016-deen-src.de.sgm
ends 2 'newstest2016-deen-src.de.sgm' prepare wmt16 wmt other
ls -d other* 2> /dev/null && fail 'a failure left a folder'
exit 0
