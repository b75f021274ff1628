# TER: numbers, options and signatures of sacreBLEU 2.6.0, which stand beside them.
. "$SOURCE/tests/support/shell/lib.sh"
# Sixty lines of words that often repeat, shuffled in blocks, so that shifts have much to try.
awk 'function next_of(n) { seed = (seed * 69069 + 5) % 65536; return int(seed / 8) % n }
BEGIN {
    for (line = 1; line <= 60; line++) {
        count = line % 9 == 4 ? 0 : next_of(40) + 1
        text = other = ""
        for (i = 0; i < count; i++)
            word[i] = substr("abcdefghij", next_of(10) + 1, 1)
        from = next_of(count + 1)
        for (i = 0; i < count; i++) {
            text = text " " word[i]
            if (next_of(8) > 0)
                other = other " " word[(i + from) % count]
            if (next_of(9) == 0)
                other = other " X"
        }
        print text > "ref"
        print other > "hyp"
        print (line % 2 ? other : "The, cat") > "ref2"
    }
}'
try score ref -i hyp -m ter -w 9
try score ref ref2 -i hyp -m ter -w 9 -sh --ter-case-sensitive
try score ref -i hyp ref2 -m ter bleu -w 4 --paired-bs --paired-bs-p sacrebleu
printf 'The dog'"'"'s "end", (so) 3.14-5 &amp; x.\n\345\222\214\343\200\202\343\201\202 a\n' > ref
printf 'the dog end so 3.14 - 5 & x .\n\345\222\214 \343\200\202 \343\201\202 b\n' > hyp
for options in '' --ter-normalized --ter-no-punct '--ter-normalized --ter-asian-support' \
    '--ter-no-punct --ter-asian-support' '--ter-normalized --ter-no-punct --ter-asian-support'; do
    try score ref -i hyp -m ter -w 9 $options
done
try score ref -i hyp -m ter -sl -b
try score ref -i hyp -m ter -lc -f json
try score ref -i hyp --ter-normalized -b
