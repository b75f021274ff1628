# train_texts.sh: several training texts: the model of their concatenation; lists, packed and
# tab-separated files; shares of an epoch, in memory, in windows, after a kill; what is refused.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 4000 --dev 20 --test 20
for l in en de; do
    head -n 2500 data/train.$l > a.$l
    tail -n +2501 data/train.$l | head -n 1000 > b.$l
    tail -n +3501 data/train.$l > c.$l
    paste data/train.en data/train.de > all.tsv
done
for t in a b c; do paste $t.en $t.de > $t.tsv; done

small dim-emb=8 transformer-dim-ffn=8 transformer-heads=1 dropout=0.2 max-length=400 batch-tokens=2500 after=24u save-freq=7u
train_on= valid_on=

three="-t a.en a.de -t b.en b.de -t c.en c.de"

# ---- several texts are as one --------------------------------------------------------------------

train one.gguf -t data/train.en data/train.de
train three.gguf $three
said 'text 2: b.en: 1000 pairs, 25.0 % of an epoch, each 1.000 times'
cmp one.gguf three.gguf
train three-in-one-option.gguf --train-sets a.en a.de b.en b.de c.en c.de
cmp one.gguf three-in-one-option.gguf
train sampled-one.gguf -t data/train.en data/train.de --learn-lines 300
train sampled-three.gguf $three --learn-lines 300
cmp sampled-one.gguf sampled-three.gguf
train file-one.gguf -t data/train.en data/train.de --train-cache one.cache --shuffle-memory 1M
train file-three.gguf $three --train-cache three.cache --shuffle-memory 1M
cmp file-one.gguf file-three.gguf

# A list, with comments, a byte-order mark, CR LF, no LF at its end; packed files.
printf '\357\273\277# texts\r\na.en\ta.de\r\n\n  \nb.en\tb.de\t-\n#\nc.en\tc.de\t-\t-' > list
train list.gguf --train-list list
cmp one.gguf list.gguf
if gzip -c b.en > b.en.gz 2> /dev/null && "$DRAGOMAN" version --build | grep -q 'zlib: yes'; then
    train packed.gguf -t a.en a.de -t b.en.gz b.de -t c.en c.de
    cmp one.gguf packed.gguf
fi
train tsv.gguf --tsv -t a.tsv -t b.tsv -t c.tsv
cmp one.gguf tsv.gguf
train tsv-one.gguf --tsv -t all.tsv --train-cache tsv.cache
cmp one.gguf tsv-one.gguf
printf 'a.tsv\nb.tsv\t\nc.tsv\t-\n' > tsv-list
untrained 3 'tsv-list:2: error: weight ""' --tsv --train-list tsv-list

# A run that began with one goes on with its three parts, and the other way around.
train split.gguf -t data/train.en data/train.de --after 10u
train split.gguf $three
cmp one.gguf split.gguf
ends 2 'training text is not the one' start split.gguf -t a.en a.de --after 30u
ends 2 'training text 2 is not the one' start split.gguf -t a.en a.de -t c.en c.de -t b.en b.de --after 30u
ends 2 'fewer training texts' start split.gguf -t a.en a.de -t b.en b.de --after 30u

# ---- what is refused -----------------------------------------------------------------------------

untrained 2 'no training text'
untrained 2 '--train-sets names 3 files; expected two for each text' -t a.en a.de b.en
untrained 2 'named twice, as number 1 and 3' -t a.en a.de -t b.en b.de -t ./a.en ./a.de
untrained 3 'missing.de: error: No such file' -t a.en a.de -t b.en missing.de
untrained 3 'c.de: error: 500 lines; expected 1000 to match b.en' -t a.en a.de -t b.en c.de
untrained 2 '--train-list with --train-sets' -t a.en a.de --train-list list
: > empty
untrained 3 'empty: error: no sentence pairs' -t a.en a.de -t empty /dev/null
untrained 3 'a.en: error: no sentence pairs: [0-9]* of [0-9]* have .* --max-length 2; expected shorter' -t a.en a.de --max-length 2
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\t_\n\n' > long.conllu
refuse 3 'no sentence: all 1 have more words than --max-length 1; expected' \
    train-parser -m p.gguf -t long.conllu --max-length 1 --after 1u
untrained 3 'empty: error: no texts' --train-list empty
printf 'a.en\ta.de\nb.en\n' > bad
untrained 3 'bad:2: error: expected two files' --train-list bad
printf 'a.en\ta.de\t-1\n' > bad
untrained 3 'bad:1: error: weight "-1"; expected a number from 1e-06 to 1e+09' --train-list bad
printf 'a.en\ta.de\t1\t<a>\tx\n' > bad
untrained 3 'bad:1: error: expected two files' --train-list bad
printf 'a.en\t-\n' > bad
untrained 3 'bad:1: error: standard input' --train-list bad
printf 'a.en\ta.de\n\377\n' > bad
untrained 3 'bad:2:1: error: invalid UTF-8' --train-list bad
cp a.en kept.en
printf 'kept.en\ta.de\n' > self
ends 2 'same file' start kept.en --train-list self --overwrite
cmp a.en kept.en
untrained 2 'c.de: .*is no timeline of --trace' --train-list list --trace c.de

# A line without just one tab is a bad line.
{ cat b.tsv; echo 'no tab'; printf 'two\ttabs\there\n'; } > bad.tsv
untrained 3 'bad.tsv:1001: error: no tab; expected one' --tsv -t a.tsv -t bad.tsv -t c.tsv
sed 1001d bad.tsv > worse.tsv
untrained 3 'worse.tsv:1001: error: more than one tab' --tsv -t a.tsv -t worse.tsv -t c.tsv
for what in skip replace; do
    train $what.gguf --tsv -t a.tsv -t bad.tsv -t c.tsv --on-bad-line $what
    said '4002 pairs read, 4000 used.* 2 ill-formed'
done

# ---- shares of an epoch --------------------------------------------------------------------------

train even.gguf $three --train-weights 5,2,1
cmp one.gguf even.gguf
train warm.gguf $three --train-temperature 1
cmp one.gguf warm.gguf
train mixed.gguf $three --train-weights 1,1,2
said 'text 1: a.en: 2500 pairs, 25.0 % of an epoch, each 0.400 times'
said 'text 3: c.en: 500 pairs, 50.0 % of an epoch, each 4.000 times'
printf 'a.en\ta.de\t10\nb.en\tb.de\t1e1\nc.en\tc.de\t20\n' > weighted
train listed.gguf --train-list weighted --threads 2
cmp mixed.gguf listed.gguf
train mixed-file.gguf $three --train-weights 1,1,2 --train-cache mixed.cache
cmp mixed.gguf mixed-file.gguf
train hot.gguf $three --train-temperature 5
said 'text 3: c.en: 500 pairs, 28.[0-9] % of an epoch'

# An epoch has 4000 pairs, whatever the shares, and windows are as many as a text takes.
train epoch.gguf $three --train-weights 1,1,2 --after 1e --disp-freq 1u
said 'Sen. 4,000 :'
if cmp -s one.gguf mixed.gguf; then echo 'weights change nothing'; exit 1; fi

# In windows: the same after any stop, wherever the run began.
generate big --seed 4 --train 20000 --dev 10 --test 10
windows="--train-cache big.cache --shuffle-memory 1M -t big/train.en big/train.de -t c.en c.de
    --train-weights 2,1 --batch-tokens 8000 --after 70u --disp-freq 10u"
train windows.gguf $windows
said 'an epoch has [0-9]* windows'
train parts.gguf $windows --after 3u
for n in 19 37 38 61; do train parts.gguf $windows --after ${n}u; done
train parts.gguf $windows --threads 2
cmp windows.gguf parts.gguf
ends 2 'training text 1 has another share' start parts.gguf $windows --train-weights 3,1 --after 90u
ends 2 'training text 1 has another share' start parts.gguf --train-cache big.cache --shuffle-memory 1M \
    -t big/train.en big/train.de -t c.en c.de --batch-tokens 8000 --after 90u
train parts.gguf $windows --train-weights 3,1 --after 90u --allow-data-change

untrained 2 '--train-weights has 2 values for 3 texts' $three --train-weights 1,1
untrained 2 'train-weights: expected 1e-06' $three --train-weights 1,0,1
untrained 2 'expected one of them' $three --train-weights 1,1,1 --train-temperature 2
untrained 2 'expected one of them' --train-list weighted --train-weights 1,1,1
untrained 2 'b.en: error: its share of an epoch is no pair' $three --train-weights 1e5,1,1
printf 'a.en\ta.de\t3\nb.en\tb.de\n' > half
untrained 2 'b.en: error: this text has no weight' --train-list half
head -n 1 c.en > d.en
head -n 1 c.de > d.de
untrained 2 'd.en: error: its share of an epoch has each pair 1250 times' -t a.en a.de -t d.en d.de \
    --train-weights 1,1

# ---- validation texts ----------------------------------------------------------------------------

sets="--valid-sets data/dev.en data/dev.de --valid-sets data/test.en data/test.de --valid-freq 12u"
sets="$sets --valid-metrics bleu ce-mean-words"
train named.gguf $three $sets --valid-names dev,test-2
said '\[valid\] Ep. [0-9]* : Up. 12 : dev bleu : '
said '\[valid\] Ep. [0-9]* : Up. 12 : test-2 ce-mean-words : [0-9.]*$'
grep -q '"update": 24, "set": "test-2", "metric": "bleu", "value": ' named.gguf.ckpt/metrics.jsonl
train unnamed.gguf $three $sets
said ': 2 bleu : '
train single.gguf $three --valid-sets data/dev.en data/dev.de --valid-freq 12u \
    --valid-metrics bleu ce-mean-words
said '\[valid\] Ep. [0-9]* : Up. 12 : bleu : '
cmp named.gguf single.gguf
cmp named.gguf unnamed.gguf
paste data/dev.en data/dev.de > dev.tsv
train valid-tsv.gguf --tsv -t all.tsv --valid-sets dev.tsv --valid-freq 12u \
    --valid-metrics bleu ce-mean-words
cmp single.gguf valid-tsv.gguf
"$DRAGOMAN" draw training named.gguf.ckpt/metrics.jsonl > picture
grep -q 'bleu:test-2' picture
untrained 2 '--valid-names has 1 value for 2 texts' $three $sets --valid-names dev
untrained 2 '"dev" stands there twice' $three $sets --valid-names dev,dev
untrained 2 'expected letters, digits' $three $sets --valid-names 'a"b,c'
untrained 2 'named twice' $three --valid-sets data/dev.en data/dev.de data/dev.en data/dev.de
ends 2 'validation text is not the one' start named.gguf $three --valid-sets data/dev.en data/dev.de \
    --after 30u --valid-freq 12u --valid-metrics bleu ce-mean-words

# A dry run says what it would do, and writes nothing.
train dry.gguf $three --train-weights 1,1,2 --dry-run
said 'text 3: c.en: 500 pairs, 50.0 % of an epoch, each 4.000 times'
test ! -e dry.gguf
