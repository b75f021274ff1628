#!/bin/sh
# check.sh SRCDIR [TARGET]...: every program of opencl/, but those for processors, through the
# compilers that vendors' drivers have, on a machine without their GPUs, with the build options that
# Dragoman would choose there; what each kernel takes, beside limits.txt. TARGET: nvptx, gfx90a,
# gfx1100, dg2, pvc, or spirv; all if none is named. One whose compiler is not here is skipped, and
# said so.
#
# A target is a file of this folder, TARGET.sh, read with $srcdir, $work and $here, that defines
#   has_compiler     fails, and prints what is missing, where it cannot compile
#   takes PROGRAM    fails for programs that the target's devices never build; optional
#   compile PROGRAM FILE OPTION...
#                    compiles FILE, and prints a line "kernel registers spilled scratch local" for
#                    each of its kernels; numbers that the compiler does not tell are -
here=$(cd "$(dirname "$0")" && pwd) srcdir=$1
exec 3>&1 # what a compiler says lies in a file until it fails
shift
test $# -gt 0 || set -- nvptx gfx90a gfx1100 dg2 pvc spirv
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' 0
failed=0

# options TARGET PROGRAM: the build options; those of programs without parameters are another's.
options() {
    awk -v target="$1" -v program="$2" '
        $1 == target { all = $0; sub(/^[^ ]+ [^ ]+ /, "", all); if (base == "") base = all
            gsub(/ -D(ROWS|SLICES|DEPTH|BUFFERS|UNROLL|AHEAD|TENSOR_WAY)=[A-Z_0-9]+/, "", base)
            if ($2 == program) { found = 1; print all; exit } }
        END { if (!found) print base }' "$srcdir/tests/golden/opencl_options.txt"
}

# judge TARGET PROGRAM: kernels from standard input, printed as a table; fails for one over a limit.
judge() {
    awk -v target="$1" -v program="$2" '
        function fits(name, pattern) {
            gsub(/\*/, ".*", pattern)
            return name ~ "^" pattern "$"
        }
        function is_over(value, limit) { return limit != "-" && value != "-" && value + 0 > limit + 0 }
        FNR == NR {
            if ($1 == target) { count++; of[count] = $2; for (i = 0; i < 3; i++) most[count, i] = $(3 + i) }
            next
        }
        {
            over = ""
            for (n = 1; n <= count && !fits($1, of[n]); n++) {}
            if (n > count) over = " no line of limits.txt fits"
            for (i = 0; i < 3 && n <= count; i++)
                if (is_over($(2 + i), most[n, i]))
                    over = over " over the limit of " most[n, i] " " (i == 0 ? "registers" : i == 1 ? "bytes spilled" : "bytes of scratch")
            printf "  %-8s %-20s %-26s %5s registers %4s spilled %4s scratch %6s local%s\n", target, program, $1, $2, $3, $4, $5, over
            if (over != "") bad = 1
        }
        END { exit bad }' "$here/limits.txt" -
}

check_target() {
    target=$1
    takes() { :; }
    . "$here/$target.sh"
    if ! missing=$(has_compiler); then
        echo "check-offline: $target: SKIPPED: $missing"
        return
    fi
    good=0
    for file in "$srcdir"/opencl/*.cl; do
        program=${file##*/} program=${program%.cl}
        case $program in common | *_cpu) continue ;; esac
        takes "$program" || continue
        if ! compile "$program" "$file" $(options "$target" "$program") > "$work/kernels" 2> "$work/log"; then
            cat "$work/log"
            echo "check-offline: $target: $program.cl does not compile"
            failed=$((failed + 1))
        elif ! judge "$target" "$program" < "$work/kernels"; then
            failed=$((failed + 1))
        else
            good=$((good + 1))
        fi
    done
    echo "check-offline: $target: $good programs compile and keep to their limits"
}

for target in "$@"; do
    if ! test -f "$here/$target.sh"; then
        echo "check-offline: unknown target $target: nvptx, gfx90a, gfx1100, dg2, pvc, spirv" >&2
        exit 2
    fi
    check_target "$target"
done
echo "check-offline: $failed programs failed"
test $failed = 0
