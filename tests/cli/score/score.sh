# Scores, their forms, and text that does not fit together.
. "$SOURCE/tests/support/shell/lib.sh"
printf 'the cat sat on the mat .\nhello there world .\n' > ref
printf 'a cat sat on the mat .\nhello , world .\n' > ref2
printf 'the Cat sat on a mat .\r\nhello world .' > hyp
try score ref -i hyp --force
try score ref ref2 -i hyp --force
try score ref -i hyp -m bleu chrf chrf++ -w 4 --force
try score -m chrf ref -i hyp
try score ref -i hyp -b -lc --force
try score ref -i hyp -sl -b -m chrf bleu
try score ref -i hyp --multi-bleu
try score ref -i hyp --multi-bleu -lc
try score ref -i hyp --multi-bleu -lc -b -w 2
try score ref -i hyp --multi-bleu -lc -m chrf bleu -b
try score ref -i hyp -m chrf -lc
try score ref -i hyp -m chrf bleu -lc --chrf-lowercase -b
try score ref -i hyp --chrf-beta 3
try score ref -i hyp -m chrf -sl -b
try score ref -i hyp --multi-bleu -tok none -s none --max-ngram-order 4
try score ref -i hyp --multi-bleu -sl
printf 'hello there world\n' > three
try score three -i three --multi-bleu -sl
try score three -i three --multi-bleu -sl -b
try score ref -i hyp -f json -sh --smooth-method floor -sv 0.01 -tok intl
try score ref -i hyp -f json -m chrf bleu --force
try score ref -i ref -tok none
try score ref -i ref -tok char --max-ngram-order 2
"$DRAGOMAN" score ref --force < hyp > a && "$DRAGOMAN" eval ref --force -i hyp -o b && cmp a b
# A byte-order mark belongs to the text, as in sacreBLEU 2.6.0: its BLEU and chrF2 of these files are
# 89.420372 97.744812, 73.238527 85.617480, 100 100 and 61.869177 84.690428.
printf 'the cat sat on the mat .\nhello there big world now .\n' > plain
printf '\357\273\277the cat sat on the mat .\nhello there big world now .\n' > marked
printf '\357\273\277the cat sat on a mat .\nhello there big world now .\n' > other
for pair in 'marked plain' 'marked other' 'plain plain' 'plain other'; do
    "$DRAGOMAN" score ${pair% *} -m bleu chrf -b -w 6 --force < ${pair#* }
done
"$DRAGOMAN" score marked -i plain -w 6 --force --by-length plain | tail -n 1
# 13a finds no words in Japanese: said once, on standard error only, and not of text cut into words.
printf '\343\201\223\343\202\214\343\201\257\346\227\245\346\234\254\350\252\236\343\201\256\346\226\207\343\200\202\n' > ja
cat ja ja > jaja
printf '\343\201\223\343\202\214 \343\201\257 \346\227\245\346\234\254\350\252\236 \343\201\256 \346\226\207 \343\200\202\n' > ja.tok
printf '\346\227\245\346\234\254\350\252\236 is a word of three characters\n' > en
try score jaja -i jaja jaja -w 4
try score ja -i ja -w 4 -b -q
"$DRAGOMAN" score ja -i ja -b 2> /dev/null
try score ja -i ja -b -tok char
try score ja -i ja -b -m chrf
try score ja.tok -i ja.tok -b
try score en -i en -b
echo 'bad input:'
try score -i hyp
try score -m
try score -m blue ref -i hyp
try score -m chrf missing -i hyp
try score ref -i .
try score - -i -
try score ref -i hyp -o ref
head -n 1 hyp > short
try score ref -i short
try score ref short -i hyp
: > empty
try score empty -i empty
try score ref -i empty
try score ref -i hyp --multi-bleu -m chrf
# multi-bleu.perl has one way; an option that cannot change it is refused, and so is one without its partner.
try score ref -i hyp --multi-bleu -tok char
try score ref -i hyp --multi-bleu -f json --tokenize 13a
try score ref -i hyp --multi-bleu --smooth floor
try score ref -i hyp --multi-bleu -sv 0.5
try score ref -i hyp --multi-bleu --max-ngram-order 2
try score ref -i hyp --multi-bleu -sh
try score ref -i hyp --multi-bleu -w 4
try score ref -i hyp --smooth-value 0.5
try score ref -i hyp -s none -sv 0.5
try score ref -i hyp -m bleu chrf++ --chrf-word-order 0
try score ref -i hyp --paired-bs-n 50
try score ref -i hyp --paired-bs-p sacrebleu
try score ref -i hyp --seed 1
try score ref -i hyp --length-step 2
# A file of settings may serve other runs, too.
printf 'tokenize = intl\nsmooth-value = 0.5\nmax-ngram-order = 2\nseed = 1\nlength-step = 2\nshort = yes\n' > settings
try score ref -i hyp --config settings --multi-bleu
DRAGOMAN_CHRF_WORD_ORDER=0 try score ref -i hyp -m chrf++ --force
printf '\300\257 a\0b \377\n\n' > odd
try score odd -i odd -b
