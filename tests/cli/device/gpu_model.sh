# gpu_model.sh: scripts/gpu-model.py on launches whose times follow from the card's figures by hand,
# and on traces that are none.
. "$SOURCE/tests/support/shell/lib.sh"
command -v python3 > /dev/null || skip 'no python3'
model() { python3 "$SOURCE/scripts/gpu-model.py" "$@"; }
head='kernel,global,local,task,flop,read,written,m,n,k'

# All units have a group of 256: 1 ms of products, as long as 0.52 of 67 TFLOP/s; then on half of the units
# 2 ms, and on half of each, too, 4 ms of the same; 1 ms of memory, 0.83 of 3350 GB/s; a launch of nothing.
cat > t.h100.csv <<END
$head
gemm_gpu_nn_128,33792x1x1,256x1x1,gemm,34840000000,0,0,1,1,1
gemm_gpu_nt_128,16896x1x1,256x1x1,gemm,34840000000,0,0,1,1,1
gemm_gpu_tn_128,8448x1x1,128x1x1,gemm,34840000000,0,0,1,1,1
fill,33792x1x1,256x1x1,fill,0,1780500000,1000000000,0,0,0
cross_entropy,33792x1x1,256x1x1,cross_entropy,0,0,0,8003,10,0
END
model t.h100.csv > out || fail "$(cat out)"
grep -q '^NVIDIA H100 SXM5: PREDICTED, not measured, from t.h100.csv$' out || fail "$(cat out)"
grep -Eq '^  products NN, NT +2 +69.7 +0 +3.00 +37%  compute$' out || fail "$(cat out)"
grep -Eq '^  products TN .gradients. +1 +34.8 +0 +4.00 +50%  compute$' out || fail "$(cat out)"
grep -Eq '^  loss +1 +0.0 +0 +0.00 +0%  launch$' out || fail "$(cat out)"
grep -Eq '^  embeddings, others +1 +0.0 +278[01] +1.00 +12%  memory$' out || fail "$(cat out)"
grep -Eq '^  all +5 +104.5 +278[01] +8.00$' out || fail "$(cat out)"
grep -q '^  8003 target tokens: 1,000,000 a second, within a factor of 1.5; 13.1 TFLOP/s, 19 % of the peak in f32$' out ||
    fail "$(cat out)"

# A first chunk of four blocks, and twelve groups behind it for each tile: 12 of 16 blocks of 1000 x 1000 reals are
# written, 48 MB, and read by those who add them.
cat > t.a770.csv <<END
$head
gemm_gpu_pair_128,212992x1x1,256x1x1,gemm,8000000000,0,4000000,1000,1000,4000
gemm_gpu_pair_128,250112x1x1,256x1x1,,0,0,0,0,0,0
END
model t.a770.csv > out || fail "$(cat out)"
grep -Eq '^  products TN .gradients. +2 +8.0 +108 ' out || fail "$(cat out)"

# Two products of 132 tiles, one of two blocks and one of one: each unit has one of both, and nobody waits.
cat > p.h100.csv <<END
$head
gemm_gpu_pair_128,67584x1x1,256x1x1,gemm+gemm,34840000000,0,0,1408+1408,1536+1536,512+256
END
model p.h100.csv > out || fail "$(cat out)"
grep -Eq '^  products NN, NT +0 +11.6 +0 +0.33 +33%  compute$' out || fail "$(cat out)"
grep -Eq '^  products TN .gradients. +1 +23.2 +0 +0.67 +67%  compute$' out || fail "$(cat out)"

# Narrow numbers, packed and multiplied: 132 tiles, 1 ms at 0.13 of 495 TFLOP/s in tf32, whose words have one real
# each: 33,792 items pack four of them. In bf16 a word has two, the peak is 989, and 10 MB less of 12 are read.
for word in tf32 bf16; do
    cat > n.h100.csv <<END
$head
gemm_${word}_pack,33792x1x1,64x1x1,,0,0,0,0,0,0
gemm_${word}_128,33792x1x1,256x1x1,gemm,64350000000,12058624,8650752,1408,1536,1024
END
    model n.h100.csv > $word || fail "$(cat $word)"
done
grep -Eq '^  packing +1 +0.0 +1 ' tf32 || fail "$(cat tf32)"
grep -Eq '^  products NN, NT +1 +64.[34] +21 +1.00 .*compute$' tf32 || fail "$(cat tf32)"
grep -Eq '^  packing +1 +0.0 +2 ' bf16 || fail "$(cat bf16)"
grep -Eq '^  products NN, NT +1 +64.[34] +15 +0.50 .*compute$' bf16 || fail "$(cat bf16)"

# refused TRACE WORDS: one line that begins with the file, and exit code 1.
refused() {
    rc=0
    model "$1" > out 2> err || rc=$?
    test $rc = 1 && test "$(wc -l < err | tr -d ' ')" = 1 || fail "exit code $rc: $(cat err)"
    grep -q "^$1: .*$2" err || fail "$(cat err)"
}
cp t.h100.csv t.csv
cp t.h100.csv t.h300.csv
refused t.csv 'CARD one of h100'
refused t.h300.csv 'CARD one of h100'
refused none.h100.csv 'No such file'
echo 'kernel,global' > b.h100.csv
refused b.h100.csv 'line 1: expected the columns'
echo "$head" > b.h100.csv
refused b.h100.csv 'names no launch'
printf '%s\nfill,64x1x1,64x1x1,fill,a,0,0,0,0,0\n' "$head" > b.h100.csv
refused b.h100.csv 'line 2: expected numbers'
printf '%s\nfill,64x1x1,0x1x1,fill,0,0,0,0,0,0\n' "$head" > b.h100.csv
refused b.h100.csv 'line 2: expected numbers'
printf '%s\nfill,64x1x1\n' "$head" > b.h100.csv
refused b.h100.csv 'line 2: expected numbers'
printf '%s\ngemm_gpu_pair_128,65536x1x1,256x1x1,gemm,0,0,0,8000,1000,4000\n' "$head" > b.h100.csv
refused b.h100.csv 'line 2: a launch of products with another number of groups'
