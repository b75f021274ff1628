# langid.sh: languages learned and told: one line out for one line in, the same by any threads; what
# is refused; models of languages where others are wanted; pairs whose sides are in other languages.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
langid() { "$DRAGOMAN" langid "$@"; }

cat > en <<'END'
The children are playing with their dog in the garden.
She said that she would come back in the evening.
There is nothing in this house which I have not seen.
We have been waiting for the train since this morning.
What do you think of the book that you were reading?
The weather was good, and they went to the sea.
END
cat > de <<'END'
Die Kinder spielen mit ihrem Hund im Garten.
Sie sagte, dass sie am Abend wieder zurückkommen werde.
In diesem Haus gibt es nichts, was ich nicht gesehen habe.
Wir warten schon seit heute Morgen auf den Zug.
Was denkst du über das Buch, das du gelesen hast?
Das Wetter war schön, und sie fuhren ans Meer.
END
cat > fr <<'END'
Les enfants jouent avec leur chien dans le jardin.
Elle a dit qu'elle reviendrait dans la soirée.
Il n'y a rien dans cette maison que je n'aie pas vu.
Nous attendons le train depuis ce matin.
Que penses-tu du livre que tu étais en train de lire ?
Il faisait beau, et ils sont allés à la mer.
END
cat > ru <<'END'
Дети играют с собакой в саду.
Она сказала, что вернётся вечером.
В этом доме нет ничего, чего я не видел.
Мы ждём поезд с самого утра.
END
cat > ja <<'END'
子供たちは庭で犬と遊んでいる。
彼女は夕方に帰ると言った。
この家に私が見ていないものはない。
私たちは朝から電車を待っている。
END

# ---- learning and telling ------------------------------------------------------------------------

langid train -o l.gguf en=en de=de fr=fr ru=ru ja=ja 2> log
said 'note: langid: 5 languages, '
langid train -q -o again.gguf en=en de=de fr=fr ru=ru ja=ja
cmp l.gguf again.gguf
cat > lines <<'END'
The dogs would have been in the house.
Die Hunde sind nicht im Haus.
Les chiens sont dans la maison.
Собака в доме.
犬は庭にいる。

12:30 ...
กากากา
END
printf '%s\n' en de fr ru ja und und und > want
langid -m l.gguf --codes-only < lines > got
diff want got
langid apply -m l.gguf -i lines -o got
cut -f 1 got | diff want -
grep -q "$(printf '^und\t1.0000$')" got && grep -q "$(printf '^ja\t[01][.][0-9]*$')" got || fail "$(cat got)"
for i in 1 2 3 4 5 6 7 8 9; do cat lines; done > many
langid -m l.gguf --top 3 -j 1 < many > one
langid -m l.gguf --top 3 -j 3 < many | cmp - one
awk -F '\t' 'NF != 6 { exit 1 }' one || fail 'not three languages'
sed -n 1p one | grep -q "$(printf '^en\t[01][.].*\t.*\t.*')" || fail "$(sed -n 1p one)"
langid -m l.gguf --codes-only --min-probability 0 < lines | grep -c und > count && fail "$(cat count)"
test "$(langid -m l.gguf --codes-only --min-probability 1 < lines | grep -c und)" -ge 3
"$DRAGOMAN" inspect --verify l.gguf > report
for words in 'checksums: good' 'string.5.  "en", "de", "fr", "ru", "ja"' 'langid.weights  *i8 '; do
    grep -q "$words" report || fail "no $words: $(cat report)"
done
langid train -q -o small.gguf --grams 200 en=en de=de
test "$(wc -c < small.gguf)" -lt 3000

# ---- what is refused -----------------------------------------------------------------------------

refuse 2 'needs --model\|--model' langid < lines
refuse 2 'exists; expected a new file' langid train -o l.gguf en=en de=de
refuse 2 'expected a language and its text' langid train -o x en
refuse 2 '"u n" is no code' langid train -o x 'u n=en' de=de
refuse 2 '"und" is no code' langid train -o x und=en de=de
refuse 2 'in 1 language; expected at least 2' langid train -o x en=en en=de
refuse 3 'xx: no letter' langid train -o x en=en xx=/dev/null
refuse 2 'de' langid train --overwrite -o de en=en de=de
refuse 4 'not with the letters GGUF\|at least 24' langid -m en < lines
printf 'x' | dd of=again.gguf bs=1 seek=900 conv=notrunc 2> /dev/null
refuse 4 'damaged\|checksum' langid -m again.gguf < lines
test ! -e x || fail 'x was written'

# Others name what it is.
told() {
    other=$1
    shift
    refuse 4 "l.gguf: error: tells languages apart (langid); expected a $other" "$@"
}
told 'translation model' translate -m l.gguf -i lines
told 'translation model' rescore lines lines -m l.gguf
told 'translation model' export -m l.gguf -o folder
told 'translation model' quantize l.gguf -o x
told 'parser' parse -m l.gguf -i lines
told 'parser' annotate -m l.gguf -i lines
refuse 4 'only models of one configuration' average -o x l.gguf small.gguf
refuse 3 'name it where a model is wanted' spm encode -m l.gguf -i lines
test ! -e x && test ! -e folder || fail 'a result was written'

# ---- clean ---------------------------------------------------------------------------------------

cp en a.en
sed '2s/.*/Elle a dit que non./; 3s/.*/Nothing in this house./; 4s/.*/1 2 3 4/' de > a.de
"$DRAGOMAN" clean a.en a.de --source-lang en --target-lang de --langid l.gguf -o c.en c.de --dropped dropped 2> log
said '  2  33.3 %  language   a side in another language'
printf '2\tlanguage\n3\tlanguage\n' | diff - dropped
"$DRAGOMAN" clean -q a.en a.de --target-lang de --langid l.gguf --min-language 0 -o c.en c.de
cmp a.de c.de
refuse 2 'does not know the language "sv"' clean a.en a.de --target-lang sv --langid l.gguf
refuse 2 'source-lang' clean a.en a.de --langid l.gguf
