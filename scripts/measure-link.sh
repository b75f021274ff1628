#!/bin/sh
# measure-link.sh SRCDIR [RANKS RATE MICROSECONDS]...: from a build folder that was configured
# --with-mpi=mpicc.openmpi: trains on ranks in network namespaces of their own, with links of this rate
# (tc tbf, "1gbit") and delay, and compares what exchanges take with what --link predicts. Without a
# list, the table of doc/cluster.md. $BUCKET [256K] is --bucket: 1G sends nothing early. $LINKS [1]: TCP
# connections of two ranks. Needs root, ip, tc, python3, Open MPI.
#
# Ranks share this machine's processors: computation is that of the run itself, and a rate is what MPI
# reaches at that moment, which the fourth column tells. A delay of 0 is a bridge of the kernel; others
# are made by scripts/link-delay.c, for not every kernel has netem.
set -eu
source=$(cd "$1" && pwd)
shift
dragoman=$(pwd)/dragoman
generate=$(pwd)/out/corpora/generate
top=$(pwd)/out/link
me= row=0
fail() {
    echo "measure-link: $*" >&2
    exit 1
}
test "$(id -u)" = 0 || fail 'needs root'
"$dragoman" version --build | grep -q '^mpi: Open MPI' || fail 'needs a build with Open MPI'
mkdir -p "$top"
cd "$top"
gcc -O2 -o delay "$source/scripts/link-delay.c"
mpicc.openmpi -O2 -o ping "$source/scripts/link-ping.c"
"$generate" --seed 5 --train 2000 --dev 5 --test 5 --out data > /dev/null
switch=
clean() {
    test -z "$switch" || kill "$switch" 2> /dev/null || :
    test -z "$switch" || wait "$switch" 2> /dev/null || :
    switch=
    for n in 10 11 12 13; do ip netns del $me-$n 2> /dev/null || :; done
    ip link del $me 2> /dev/null || :
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# Each rank's machine is a namespace with a name of its own.
write_agent() {
    cat > agent <<END
#!/bin/sh
host=\$1
shift
exec ip netns exec $me-\${host##*.} unshare --uts sh -c "hostname n\${host##*.}; \$*"
END
    chmod +x agent
}
# address SPACE-COMMAND DEVICE NUMBER
address() {
    $1 ip link set "$2" address 02:00:00:00:00:0"$3"
    $1 ip addr add 10.77.0.$((9 + $3))/24 dev "$2"
    $1 ip link set "$2" up
}
# network RANKS RATE MICROSECONDS: names are new each time, for the kernel clears up late
network() {
    row=$((row + 1))
    me=d$$x$row
    write_agent
    spaces=
    for n in $(seq 10 $((9 + $1))); do
        ip netns add $me-$n
        ip netns exec $me-$n ip link set lo up
        spaces="$spaces $me-$n"
    done
    if test "$3" = 0; then
        ip link add $me type bridge
        ip addr add 10.77.0.9/24 dev $me
        ip link set $me up
        for n in $(seq 10 $((9 + $1))); do
            ip link add $me-$n type veth peer name lnk0 netns $me-$n
            ip link set $me-$n master $me up
        done
    else
        rm -f switch.out
        ./delay "$3" - $spaces > switch.out &
        switch=$!
        until grep -qs ready switch.out; do
            kill -0 "$switch" || fail 'the switch of link-delay.c has not begun'
            sleep 0.1
        done
        address '' lnk0 0
    fi
    for n in $(seq 10 $((9 + $1))); do
        address "ip netns exec $me-$n" lnk0 $((n - 9))
        ip netns exec $me-$n tc qdisc add dev lnk0 root tbf rate "$2" burst 256k latency 200ms
    done
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm_rsh_agent="$top/agent" OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1
# Connections of a pair: on one, what MPI asks and answers waits behind data.
export OMPI_MCA_btl_tcp_links=${LINKS:-1}
export OMPI_MCA_btl_tcp_if_include=10.77.0.0/24 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
# on RANKS COMMAND...
on() {
    hosts=10.77.0.10 n=$1
    for k in $(seq 11 $((9 + n))); do hosts=$hosts,10.77.0.$k; done
    shift
    mpirun.openmpi -n "$n" --host "$hosts" --mca plm_rsh_no_tree_spawn 1 "$@"
}
bucket=${BUCKET:-256K}
options="--config $source/corpora/recipes/demo.conf --dim-emb 256 --transformer-dim-ffn 1024 --bpe-merges 200 \
    --batch-tokens 100 --after 22u --average 0 --train-sets data/train.en data/train.de --threads 1"
# planned RANKS LINK SECONDS: milliseconds to send that no computation hides
planned() {
    "$dragoman" train -m plan.gguf $options --accumulate "$1" --dry-run --ranks "$1" --link "$2" \
        --update-seconds "$3" --bucket "$bucket" 2>&1 |
        sed -n 's/.*to compute, \([0-9.e-]*\) s to send, of which at best \([0-9.e-]*\) s while.*/\1 \2/p' |
        awk '{ printf "%.1f", 1000 * ($1 - $2) }'
}
# measure RANKS RATE MICROSECONDS
measure() {
    network "$@"
    link=$(on "$1" ./ping 2> log)
    rm -rf m.gguf m.gguf.ckpt
    on "$1" "$dragoman" train -m m.gguf $options --accumulate "$1" --bucket "$bucket" \
        --trace trace.json > log 2>&1 || fail "$(cat log)"
    set -- "$@" $("$source/scripts/link-times.py" trace.json)
    seconds=$(awk "BEGIN { print $1 * $4 / 1000 }")
    bits=$(echo "$2" | sed 's/g/G/; s/m/M/')
    echo "| $1 | $2 | $3 | $link | $4 | $(planned "$1" "$bits,$3us" "$seconds") |" \
        "$(planned "$1" "$link" "$seconds") | $5 | $6 |"
    clean
}
echo "load: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
echo '| ranks | rate | delay, us | as MPI measures | compute, ms | to send, by the rate | by MPI | measured | update |'
echo '|---|---|---|---|---|---|---|---|---|'
test $# -gt 0 || set -- 2 1gbit 0 2 1gbit 1000 2 10gbit 0 2 10gbit 1000 4 1gbit 0 4 1gbit 1000 4 10gbit 0 4 10gbit 1000
while test $# -gt 2; do
    measure "$1" "$2" "$3"
    shift 3
done
