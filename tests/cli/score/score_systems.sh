# Several systems: a row for each, as sacreBLEU's command line has it; a reference is never one of them.
. "$SOURCE/tests/support/shell/lib.sh"
printf 'the cat sat on the mat today\nhello there big world now\n' > ref
printf 'a cat was on the mat today\nhello there big world now\n' > ref2
printf 'the cat sat on the mat today\nhello there big world then\n' > a
printf 'the cat sat on a mat today\nhello there world now\n' > b
cp b 'c "copy"'
try score ref -i a b
try score ref ref2 -i a -i b -w 2 -m bleu chrf -sh
try score ref --input=b ref2 --paired-bs a
try score ref -i a b 'c "copy"' -f json
try score ref -i a b -f json -m chrf bleu -w 3
try score ref -m bleu -i a b --multi-bleu
# A row says what the system's own run says; standard input may be one of them.
"$DRAGOMAN" score ref -i a -b -w 9 > alone && "$DRAGOMAN" score ref -i b -b -w 9 >> alone
"$DRAGOMAN" score ref -i a - -w 9 < b | awk 'NR > 2 { print $1 }' | cmp - alone && echo same
# Columns of standard input are systems, as at sacreBLEU 2.6.0, whose BLEU and chrF2 of these are 88.0684, 91.9410
# and 39.3902, 71.8761; its paired p is that of files.
paste a b > ab
try score ref -m bleu chrf -w 4 < ab
try score ref -f json -i - < ab
try score ref -i b - -w 2 < ab
"$DRAGOMAN" score ref -w 6 --paired-bs --paired-bs-p sacrebleu < ab | cut -c 1-34 > one
"$DRAGOMAN" score ref -i a b -w 6 --paired-bs --paired-bs-p sacrebleu | cut -c 1-34 | cmp - one && echo same
printf 'the cat sat on the mat today\t\nhello there big world now \t \n' | "$DRAGOMAN" score ref -b
"$DRAGOMAN" score ref -i ab -b
# --paired-bs without files is sacreBLEU's: the first system is the baseline. All ways to say so are one.
try score ref -i a b --paired-bs --paired-bs-n 50
"$DRAGOMAN" score ref -i a b --paired-bs -w 4 > one
"$DRAGOMAN" score ref --paired-bs -i a -i b -w 4 | cmp - one && echo same
"$DRAGOMAN" score ref -i a -w 4 --paired-bs b | cmp - one && echo same
printf 'paired-bs =\ninput = a b\n' > settings
"$DRAGOMAN" score ref --config settings -w 4 | cmp - one && echo same
"$DRAGOMAN" score ref --config settings --dump-config | grep -E '^(input|paired-bs) '
echo 'bad input:'
try score -i a b
try score -i a ref -m chrf
try score ref -i a b -b
try score ref -i a b -sl
try score ref -i - -
try score ref -i a --paired-bs
try score ref -i a b --by-length ref
try score ref -i a b --repetitions
try score ref -i a missing
try score ref -i a b -o b
try score ref -sl < ab
try score ref --by-length ref < ab
try score ref --repetitions < ab
try score ref -i a - - < ab
for text in 'a\nb\tc' 'a\tb\nc\t' 'a\tb\nc\td\te'; do
    printf "$text\n" > odd
    try score ref < odd
done
awk 'BEGIN { while (i++ < 1000) printf "\t"; print "x" }' > wide
try score ref < wide
head -n 1 b > short
try score ref -i a short
