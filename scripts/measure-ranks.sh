#!/bin/sh
# measure-ranks.sh SRCDIR [TURNS [UPDATES]]: from a build folder that was configured --with-mpi: the speed
# of two ranks with one thread each, over that of one process with two threads, on the same batches. For
# a quiet machine with two processors. Turns are interleaved; each tells the median of words a second
# of its log lines but the first, and the end the median of their ratios.
set -eu
source=$(cd "$1" && pwd)
turns=${2:-5} updates=${3:-200}
dragoman=$(pwd)/dragoman
generate=$(pwd)/out/corpora/generate
mpirun=${MPIRUN:-mpirun}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_hwloc_base_binding_policy=none
make -s -f rules.mk out/corpora/generate > /dev/null
"$dragoman" version --build | grep -q '^mpi: none' && { echo 'measure-ranks: a build without MPI'; exit 1; }
rm -rf out/ranks
mkdir -p out/ranks
cd out/ranks
"$generate" --seed 5 --train 20000 --dev 5 --test 5 --out data > /dev/null
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# speed THREADS COMMAND...: words a second
speed() {
    threads=$1
    shift
    "$@" train --threads "$threads" -m m.gguf --config "$source/corpora/recipes/multi30k-tiny.conf" --no-resume -q \
        --accumulate 2 --after "${updates}u" --disp-freq "$((updates / 5))u" --save-freq 1000e --average 0 \
        --train-sets data/train.en data/train.de > log 2>&1 || { cat log >&2; exit 1; }
    sed -n 's/.*"wps": \([0-9.]*\).*/\1/p' m.gguf.ckpt/metrics.jsonl | tail -n +2 | median
}
: > ratios
for turn in $(seq "$turns"); do
    two=$(speed 1 $mpirun -n 2 "$dragoman")
    one=$(speed 2 "$dragoman")
    awk "BEGIN { print $two / $one }" | tee -a ratios |
        sed "s|^|turn $turn: 2 ranks x 1 thread $two words/s, 1 rank x 2 threads $one words/s: |"
done
echo "median: $(median < ratios); load $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
