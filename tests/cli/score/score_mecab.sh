# --tokenize ja-mecab: without MeCab a message says how to get it; with it words are those of MeCab's own program.
. "$SOURCE/tests/support/shell/lib.sh"
printf '\343\201\223\343\202\214\343\201\257\346\227\245\346\234\254\350\252\236\343\201\256\346\226\207\343\200\202\n' > ja
printf '\343\201\223\343\202\214\343\201\257 \350\213\261\350\252\236\343\201\256\346\226\207\343\200\202 \n' > other
! "$DRAGOMAN" score ja -i ja -tok ja-mecab --mecab-dictionary missing 2> message || fail 'there is a dictionary "missing"'
if grep 'without which this program was built' message > some; then
    grep 'install libmecab-dev' some > more || fail "$(cat message)"
    ! "$DRAGOMAN" score ja -i ja --mecab-dictionary x 2> message || fail 'a dictionary of 13a'
    grep 'goes with --tokenize ja-mecab\|expected --tokenize ja-mecab' message > some || fail "$(cat message)"
    exit 0
fi
grep 'does not open the dictionary missing' message > some || fail "$(cat message)"
"$DRAGOMAN" score ja -i other -tok ja-mecab > got 2> message || skip "$(cat message)"
grep 'tok:ja-mecab-[0-9.]*-IPA' got > some || fail "$(cat got)"
command -v mecab > some || skip 'no program mecab'
for file in ja other; do
    mecab -Owakati $file | sed 's/ *$//' > $file.cut
done
want=$("$DRAGOMAN" score ja.cut -i other.cut -tok none -b -w 9 --force)
test "$("$DRAGOMAN" score ja -i other -tok ja-mecab -b -w 9)" = "$want" || fail "not $want"
