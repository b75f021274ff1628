#!/bin/sh
# new-task.sh SRCDIR NAME [FAMILY]: writes a task that copies an array into the six files that a task
# of a device needs. It compiles, runs on the CPU and through OpenCL, and passes its trials; what it
# is to compute is then yours to write. doc/adding-a-task.md goes through the files. FAMILY: one of
# src/kernel/task/<family>_list.h, elements if there is none.
LC_ALL=C
export LC_ALL
cd "${1:?new-task.sh SRCDIR NAME [FAMILY]}" || exit 1
name=$2 family=${3:-elements}

fail() {
    echo "new-task: $*" >&2
    exit 1
}

case $name in
'') fail 'say which: make new-task NAME=name [FAMILY=family]' ;;
*[!a-z0-9_]* | [!a-z]*) fail "$name: expected small letters, digits and _" ;;
esac
case $family in
gemm | lstm) fail "$family: that family takes no tasks besides its own" ;;
esac
list=src/kernel/task/${family}_list.h
test -f "$list" || fail "no family $family; there is:" $(ls src/kernel/task/*_list.h |
    sed -e 's|.*/||' -e 's/_list\.h//' -e '/^task$/d' -e '/^groups$/d')
grep -q "^TASK($name)\$" src/kernel/task/*_list.h && fail "there is a task $name"

# The OpenCL program of the family.
case $family in
attention) program=attention_forward ;;
rows) program=rows_move ;;
*) program=$family ;;
esac
cpu=src/device/cpu/run/run_$family.c
opencl=src/device/opencl/run/run_$family.c
trial=src/device/trial/trial_$family.c
kernels=src/device/opencl/core/kernel_list.h
for file in $cpu opencl/$program.cl $kernels $opencl $trial; do
    test -f $file || fail "$file is not there"
done

# 1. What it computes, with which arguments.
awk -v name="$name" '
/clang-format on/ {
    print "/* y = x, element by element. */"
    print "TASK(" name ")\nOUT(real, y)\nIN(real, x)\nLONG(count)\nEND(" name ")\n"
}
{ print }' "$list" > "$list.new" && mv "$list.new" "$list" || exit 1

# 2. On the CPU.
cat >> $cpu <<END

dgm_status dgm_cpu_run_$name(struct dgm_env *env, struct dgm_cpu *cpu, const void *args)
{
    const struct dgm_${name}_job job = dgm_cpu_open_$name(args);

    (void)env;
    (void)cpu; /* its threads: dgm_cpu_run_rows of blocks.h */
    for (int64_t i = 0; i < job.count; i++)
        job.y[i] = job.x[i];
    return DGM_OK;
}
END

# 3. Its kernel, which is compiled where it is first used.
cat >> opencl/$program.cl <<END

kernel void $name(OPERAND(real, y), OPERAND(const real, x), const long total)
{
    OPEN(real, y);
    OPEN(const real, x);

    BEGIN;
    store_part(load_part(x + at, count, 0), y + at, count);
}
END

# 4. The kernel's line behind those of its program.
awk -v program="$program" -v name="$name" '
{ print }
$0 == "PROGRAM(" program ")" { print "KERNEL(" program ", " name ")" }' $kernels > $kernels.new &&
    mv $kernels.new $kernels || exit 1

# 5. What calls the kernel.
cat >> $opencl <<END

DGM_CL_RUN_KERNEL($name, vectors, args->count)
END

# 6. Random instances, to see whether the two agree.
cat >> $trial <<END

void dgm_trial_$name(struct dgm_trial *trial, struct dgm_${name}_args *args)
{
    args->count = dgm_trial_between(trial, 1, 3000);
    dgm_trial_reals(trial, &args->y, args->count, 1);
    dgm_trial_reals(trial, &args->x, args->count, 1);
}
END

echo "new-task: $name in"
printf '    %s\n' "$list" $cpu opencl/$program.cl $kernels $opencl $trial
echo 'try it: make check T=opencl_'
