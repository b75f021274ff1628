# documents.sh: translate --format: what is text in web pages, Markdown, subtitles and catalogues of messages is
# translated, all else stays; options that are of lines.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# A language that says the same words, v for w, the last one first.
awk 'BEGIN {
    seed = 7
    for (line = 0; line < 400; line++) {
        s = t = a = ""
        n = 2 + line % 4
        for (i = 0; i < n; i++) {
            seed = (seed * 16807) % 2147483647
            k = int(seed / 1000) % 12
            s = s (i ? " " : "") "w" k
            t = "v" k (i ? " " : "") t
            a = a (i ? " " : "") i "-" n - 1 - i
        }
        print s > "s"; print t > "t"; print a > "a"
    }
}'
valid_on= train_on='-t s t --guided-alignment a --guided-alignment-weight 1'
small dropout=0 label-smoothing=0 batch-tokens=200 lr=0.02 transformer-dim-ffn=16 max-length=60 bpe-merges=0 \
    after=200u save-freq=200u disp-freq=200u
train m.gguf
# becomes FORMAT IN WANT OPTION...: a document becomes WANT.
becomes() {
    printf -- "$2" > in
    printf -- "$3" > want
    format=$1
    shift 3
    "$DRAGOMAN" translate -q -m m.gguf --format "$format" -i in -o got "$@"
    cmp got want || fail "$format: $(cat in) becomes $(cat got), not $(cat want)"
}
becomes srt '1\n0:01 --> 0:02\nw1 w2\nw3\n' '1\n0:01 --> 0:02\nv3\nv2 v1\n'
becomes srt '\357\273\2771\r\n0:01 --> 0:02\r\n<i>w1 <b>w2</b></i>\r\n\r\n2\r\n0:03 --> 0:04\r\n- w3 w4\r\n- w5 w6' \
    '\357\273\2771\r\n0:01 --> 0:02\r\n<i><b>v2</b> v1</i>\r\n\r\n2\r\n0:03 --> 0:04\r\n- v4 v3\r\n- v6 v5'
becomes vtt 'WEBVTT\n\nNOTE w1\n\n0:01.000 --> 0:02.000\n<v w1>w2 <c.w3>w4</c>' \
    'WEBVTT\n\nNOTE w1\n\n0:01.000 --> 0:02.000\n<v w1><c.w3>v4</c> v2'
becomes po '# w1\nmsgid "w1 w2\\n"\nmsgstr ""\n\nmsgid "w3 w6"\nmsgid_plural "w4 w5"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgid "w6"\nmsgstr "x"\n' \
    '# w1\n#, fuzzy\nmsgid "w1 w2\\n"\nmsgstr "v2 v1\\n"\n\n#, fuzzy\nmsgid "w3 w6"\nmsgid_plural "w4 w5"\nmsgstr[0] "v6 v3"\nmsgstr[1] "v5 v4"\n\nmsgid "w6"\nmsgstr "x"\n'
becomes po '' ''
becomes markdown '---\nw1: w2\n---\n# w1 w2\n\n> - w3 **w4**\n>   w5\n\n```\nw1 w2\n```\n| w3 w4 | [w5 w6](w1) |\n|---|---|\n' \
    '---\nw1: w2\n---\n# v2 v1\n\n> - v5 **v4** v3\n\n```\nw1 w2\n```\n| v4 v3 | [v6 v5](w1) |\n|---|---|\n'
becomes html '<!DOCTYPE html><title>w1 w2</title>\r\n<p class=w1>w3 <b>w4</b> <code>w1</code></p><pre>w1</pre><img alt="w5 w6">' \
    '<!DOCTYPE html><title>v2 v1</title>\r\n<p class=w1><b>v4</b> <code>w1</code> v3</p><pre>w1</pre><img alt="v6 v5">'
becomes srt '1\n0:01 --> 0:02\nw1 <b>w2</b>\n' '1\n0:01 --> 0:02\n<b>v2</b> v1\n' --protect none --split sentence -b 3
"$DRAGOMAN" translate -q -m m.gguf --format "$format" < in | cmp - want
# What an msgfmt at hand says of it.
if command -v msgfmt > /dev/null 2>&1; then
    printf '%s\n' 'msgid ""' 'msgstr "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"' \
        '' '#, c-format' 'msgid "w1 %d w2\n"' 'msgid_plural "%d w2\nw3\n"' 'msgstr[0] ""' 'msgstr[1] ""' '' \
        '#, c-format' 'msgid "w1 %d w2 w3 %s w4, 5%%"' 'msgstr ""' > in
    "$DRAGOMAN" translate -q -m m.gguf --format po -i in --protect all > got
    msgfmt --check --use-fuzzy -o got.mo got 2> log || fail "$(cat log got)"
fi
# Text is lines, as without the option.
printf 'w1 w2\r\nw3' > in
"$DRAGOMAN" translate -q -m m.gguf -i in > want
"$DRAGOMAN" translate -q -m m.gguf -i in --format text | cmp - want
if has_gzip; then
    gzip -c in > in.gz
    "$DRAGOMAN" translate -q -m m.gguf -i in.gz --format srt | cmp - in
fi
refuse 2 'format with --n-best, which is of lines' translate -m m.gguf --format srt --n-best 2 -i in
refuse 2 'format with --scores, which is of lines' translate -m m.gguf --format po --scores -i in
refuse 2 'format: expected one of text|html' translate -m m.gguf --format doc -i in
