# new_task.sh: `make new-task` writes into the six files that doc/adding-a-task.md names, once for
# each family, and refuses names that exist or are none.
mkdir -p tree/src/device/opencl/core
cp -r "$SOURCE/opencl" tree/
for folder in kernel/task device/cpu/run device/opencl/run device/trial; do
    mkdir -p "tree/src/$folder"
    cp "$SOURCE/src/$folder"/*.[ch] "tree/src/$folder"
done
cp "$SOURCE/src/device/opencl/core/kernel_list.h" tree/src/device/opencl/core
bad=0
for list in "$SOURCE"/src/kernel/task/*_list.h; do
    family=${list##*/} family=${family%_list.h}
    case $family in task | groups | gemm | lstm) continue ;; esac
    cp -r tree before
    sh "$SOURCE/scripts/new-task.sh" tree "try_$family" "$family" > log || { cat log; exit 1; }
    changed=$(diff -rq before tree | wc -l)
    test "$changed" -eq 6 || { echo "$family: $changed files, not 6"; bad=1; }
    grep -rq "^TASK(try_$family)" tree/src/kernel/task || { echo "$family: not declared"; bad=1; }
    rm -r before
done
for name in fill Upper 'two words' ''; do
    sh "$SOURCE/scripts/new-task.sh" tree "$name" 2> /dev/null && { echo "takes '$name'"; bad=1; }
done
sh "$SOURCE/scripts/new-task.sh" tree more nowhere 2> /dev/null && { echo 'takes any family'; bad=1; }
test $bad = 0
