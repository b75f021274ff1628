# quantize.sh: matrices in fewer bits: what the file holds, what translates with it and how, what is
# refused. Such products do not depend on threads, batches or neighbours.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 10 --test 20
demo dim-emb=32 transformer-dim-ffn=128 bpe-merges=60 train-trees=data/train.en.conllu
valid_on=
translate() { "$DRAGOMAN" translate --quiet --trees none "$@" < data/test.en; }
quantize() { "$DRAGOMAN" quantize "$@"; }

train m.gguf --after 60u --syntax none --transformer-dim-ffn 48
quantize m.gguf -o q.gguf 2> note
grep -q 'matrices became q8_0' note
quantize m.gguf -o b.gguf --type bf16 2> /dev/null
quantize m.gguf -o h.gguf -t f16 2> /dev/null
"$DRAGOMAN" inspect --verify q.gguf > q.txt
grep -q 'decoder.embed_tokens.weight.* f16\|embed_tokens.weight.* q8_0' q.txt
grep -q 'fc1.bias.* f32' q.txt
grep -q 'general.quantization_version *u32 *2' q.txt
grep -q 'fc2.weight.* f16' q.txt # rows of 48: no multiple of 32
"$DRAGOMAN" inspect b.gguf | grep -q 'fc2.weight.* bf16'
test "$(wc -c < q.gguf)" -lt "$(wc -c < b.gguf)"
test "$(wc -c < b.gguf)" -lt "$(wc -c < m.gguf)"

# auto is what the file holds; other ways to say it give the same bytes.
translate -m m.gguf > f32.de
translate -m m.gguf --compute-type f32 | cmp - f32.de
for type in int8 bf16; do
    file=q.gguf
    test $type = bf16 && file=b.gguf
    translate -m $file --scores > file.de
    translate -m $file --scores --compute-type $type | cmp - file.de
    translate -m $file --scores --threads 3 --batch-tokens 1 | cmp - file.de
    while read -r line; do
        echo "$line" | "$DRAGOMAN" translate -q --trees none -m $file --scores
    done < data/test.en | cmp - file.de
done
# What a file of type bf16 holds is what an f32 model is rounded to.
translate -m m.gguf --scores --compute-type bf16 | cmp - file.de
translate -m b.gguf --scores --compute-type f32 | cmp -s - file.de && exit 1
translate -m h.gguf > h.de
translate -m h.gguf --compute-type f32 | cmp - h.de
translate -m m.gguf --compute-type int8 > int8.de
test "$(wc -l < int8.de)" = 20
# The scores of given translations are those of f32 but for a little.
for type in f32 int8 bf16; do
    "$DRAGOMAN" rescore -q --trees none data/test.en f32.de -m m.gguf --compute-type $type > $type.score
    test $type != f32 && cmp -s f32.score $type.score && exit 1
    part=0.2 # of a score
    test $type = bf16 && part=0.01
    paste f32.score $type.score |
        awk -v part=$part '{ d = $1 - $2; if (d * d > part * part * ($1 * $1 + 0.25)) exit 1 }'
done
cmp -s int8.score bf16.score && exit 1

# Every kind of network translates with them.
for kind in "--syntax shaw" "--syntax deps-san(layers=1)" "--syntax pascal" "--syntax sgsa" \
    "--syntax tags(dim=8)" "--decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none" \
    "--encoder sequential --decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none" \
    "--encoder lexicalized --decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none" \
    "--encoder lexicalized --dynamic-z 6 --decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none" \
    "--encoder lexicalized --dynamic-z 16 --decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none" \
    "--encoder constituency --dynamic-z 16 --decoder recurrent --dim-rnn 32 --tied-embeddings none --syntax none"; do
    # shellcheck disable=SC2086
    train k.gguf --overwrite --after 2u $kind
    for type in f32 int8 bf16; do
        "$DRAGOMAN" translate -q -m k.gguf --trees data/test.en.conllu --compute-type $type \
            < data/test.en > k.de || { echo "$kind: $type"; exit 1; }
        test "$(wc -l < k.de)" = 20
    done
done

# What cannot be is said, and writes nothing.
briefly 4 'has type .* already' quantize q.gguf -o x.gguf
briefly 2 'exists' quantize m.gguf -o q.gguf
briefly 2 'm.gguf' quantize m.gguf -o m.gguf --overwrite
briefly 2 'needs --output' quantize m.gguf
briefly 2 'q8_0' quantize m.gguf -o x.gguf --type q4
# Steps of 1,000 each lead beyond the end of f16; bf16's is tested beside nn/param_file.
train large.gguf --after 400u --batch-tokens 60 --syntax none --lr 1000 --lr-schedule constant --warmup 1 \
    --adam-beta1 0.999 --transformer-dim-ffn 16
briefly 4 'value .* and f16 ends at 65504; expected --type bf16' quantize large.gguf -o x.gguf -t f16
briefly 4 'x.en' sh -c 'echo words > x.en; "$0" quantize x.en -o x.gguf' "$DRAGOMAN"
briefly 2 'compute-type.*auto|f32|int8|bf16.*bf61' translate -m m.gguf --compute-type bf61
briefly 2 'compute-type' translate -m m.gguf --compute-type int4
briefly 2 'compute-type' "$DRAGOMAN" rescore -m m.gguf data/test.en f32.de --compute-type BF16
if "$DRAGOMAN" devices | grep -q '^      usable with --devices [0-9]'; then
    for type in int8 bf16; do
        "$DRAGOMAN" translate -q -m m.gguf --devices opencl --compute-type $type \
            < data/test.en > k.de 2> err && exit 1
        grep -q -e "--compute-type $type on .* f32 alone" err
    done
    translate -m b.gguf --devices opencl > k.de # auto goes on in f32
    test "$(wc -l < k.de)" = 20
fi
"$DRAGOMAN" train-parser --quiet --train-sets data/train.en.conllu --model p.gguf \
    --dim-emb 32 --dim-lstm 18 --dim-piece 16 --dim-piece-lstm 16 --enc-depth 2 --dim-arc 32 \
    --dim-label 16 --dim-tag 16 --after 60u
test ! -e x.gguf

# A parser: the same, for `parse` and for translations whose trees it makes.
parse() { "$DRAGOMAN" parse -q -f tokens --prob row "$@" < data/test.en; }
quantize p.gguf -o pq.gguf 2> note
grep -q 'became q8_0; .* f16' note
"$DRAGOMAN" inspect pq.gguf > q.txt
grep -q 'parser.arc.head.weight .*f16' q.txt # rows of 36
grep -q 'parser.arc.form.weight .*q8_0' q.txt
grep -q 'parser.arc.form.bias .*f32' q.txt
parse -m p.gguf > f32.conllu
parse -m pq.gguf > q.conllu
cmp -s f32.conllu q.conllu && exit 1
test "$(cut -f 7,8 f32.conllu | wc -l)" = "$(cut -f 7,8 q.conllu | wc -l)"
parse -m pq.gguf --compute-type int8 --threads 3 --batch-tokens 1 | cmp - q.conllu
parse -m p.gguf --compute-type f32 | cmp - f32.conllu
quantize p.gguf -o pb.gguf --type bf16 2> /dev/null
for type in int8 bf16; do
    parse -m p.gguf --compute-type $type > i.conllu
    cmp -s f32.conllu i.conllu && exit 1
    paste f32.conllu i.conllu |
        awk -F '\t' '/^[0-9]/ { n++; same += $7 == $17 } END { exit same < 0.97 * n }'
    parse -m p.gguf --compute-type $type --threads 3 --batch-tokens 1 | cmp - i.conllu
done
parse -m pb.gguf | cmp - i.conllu
"$DRAGOMAN" annotate -q -f tokens -m pq.gguf < data/test.en > a.heads
for type in int8 bf16; do
    "$DRAGOMAN" annotate -q -f tokens -m p.gguf --compute-type $type < data/test.en |
        wc -l | grep -q -w 20
done
briefly 4 'has type .* already' quantize pq.gguf -o x.gguf
briefly 2 'compute-type' parse -m p.gguf --compute-type int4
briefly 2 'compute-type' "$DRAGOMAN" annotate -q -f tokens -m p.gguf --compute-type half
train own.gguf --after 5u --syntax 'deps-san(layers=1,sigma=1)' --parser p.gguf
quantize own.gguf -o ownq.gguf 2> /dev/null
"$DRAGOMAN" inspect ownq.gguf | grep -q 'parser.arc.form.weight .*q8_0'
"$DRAGOMAN" translate -q -m ownq.gguf < data/test.en > own.de
"$DRAGOMAN" translate -q -m ownq.gguf --threads 3 --batch-tokens 40 < data/test.en | cmp - own.de
for type in int8 bf16; do
    "$DRAGOMAN" translate -q -m own.gguf --compute-type $type < data/test.en | wc -l | grep -q -w 20
done
parse -m ownq.gguf > own.conllu
test ! -e x.gguf

# A damaged byte is found; nothing is learned from such a model.
head -c 20000 q.gguf > cut.gguf
briefly 4 'cut.gguf' translate -m cut.gguf
cp -R m.gguf.ckpt kept
for type in q8_0 bf16 f16; do
    for checkpoint in m.gguf.ckpt/update-*.gguf; do
        quantize "$checkpoint" -o "$checkpoint" --overwrite -t $type 2> /dev/null && exit 1
        quantize "kept/${checkpoint##*/}" -o narrow.gguf --overwrite -t $type 2> /dev/null
        mv narrow.gguf "$checkpoint"
    done
    briefly 4 'update-.*dragoman.state' start m.gguf --quiet --after 70u --syntax none --transformer-dim-ffn 48
done
rm -rf m.gguf.ckpt
mv kept m.gguf.ckpt
