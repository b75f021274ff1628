# restoration.sh: addresses, tags, placeholders, mails, emoji, code and numbers in lines of four
# languages are all there once in translations, whatever the model makes of the words, tags nested.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

cat > sentences << 'END'
The old house by the river was sold last week for more than anybody had thought.
Das alte Haus am Fluss wurde, wie man hört, letzte Woche für viel Geld verkauft.
La vieille maison au bord de la rivière a été vendue la semaine dernière.
川のそばの古い家は先週とても高い値段で売られたそうです。
END
# Two to four spans behind words, and tags around others. Languages without blanks have one "word".
awk 'function draw(n) { seed = (seed * 16807) % 2147483647; return int(seed / 1000) % n }
function span(kind) {
    if (kind == 0) return "http://x.org/" made "?a=b&c=" draw(99)
    if (kind == 1) return "a.b+" made "@mail.example.org"
    if (kind == 2) return "{name" made "}"
    if (kind == 3) return "%" 1 + draw(9) "$s"
    if (kind == 4) return "\360\237\230\200"
    if (kind == 5) return "`x = [" made "]`"
    if (kind == 6) return made ".5 kg"
    return "<br/>"
}
BEGIN { seed = 7 }
{ sentence[NR] = $0 }
END {
    for (made = 1; made <= 120; made++) {
        n = split(sentence[1 + made % NR], w, " ")
        for (i = 2 + draw(3); i > 0; i--) { p = 1 + draw(n); w[p] = w[p] " " span(draw(8)) (draw(2) ? "" : ",") }
        a = 1 + draw(n); b = a + draw(n - a + 1)
        w[a] = "<a href=\"u>" made "\">" (draw(2) ? "<i>" w[a] "</i>" : w[a])
        w[b] = w[b] "</a>"
        for (i = 1; i <= n; i++) printf "%s%s", w[i], i < n ? " " : "\n"
    }
}' sentences > in
spans='http://x.org/[0-9]*?a=b&c=[0-9]*|a\.b\+[0-9]*@mail\.example\.org|\{name[0-9]*\}|%[0-9]\$s|😀|`x = \[[0-9]*\]`|[0-9]+\.5 kg'
spans=$(printf '%s' "$spans" | sed 's/\*?a/*[?]a/')"|<br/>|<a href=\"u>[0-9]+\">|</a>|</?i>"
list() { LC_ALL=C grep -noE "$spans" "$1"; }
list in | sort > want
test "$(wc -l < want)" -gt 600
# restores OPTION...: all spans of the lines are in their translations.
restores() {
    "$DRAGOMAN" translate -q -i in --protect all --max-length-factor 1 "$@" > out
    list out | sort | cmp - want || fail "$*"
    list out | awk -F : '$2 ~ /^<[ai]/ { open[++depth] = $1 substr($2, 2, 1) }
        $2 ~ /^<\// { if (open[depth--] != $1 substr($2, 3, 1)) exit 1 }' || fail "tags: $*"
}
paste -d' ' sentences sentences > t
valid_on= train_on='-t sentences t'
for text in 'tokenize=moses bpe-merges=20' 'tokenize=spm vocab-type=char dim-vocabs=100' 'tokenize=moses bpe-merges=20 placeholders=1'; do
    # shellcheck disable=SC2086
    settings enc-depth=1 dec-depth=1 dim-emb=16 transformer-dim-ffn=16 transformer-heads=2 max-length=300 after=3u source-lang=en \
        target-lang=de $text
    train m.gguf --overwrite
    restores -m m.gguf -b 1
    restores -m m.gguf -b 3 -j 2 --split sentence
done
restores -m m.gguf -b 1 --compute-type int8 --case auto
