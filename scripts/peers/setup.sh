#!/bin/sh
# setup.sh FOLDER: makes FOLDER a virtual environment with the libraries that we compare ourselves
# with, from PyPI, at the versions of requirements.txt; does nothing where it stands already. What
# comes from the system's packages, PyTorch's best allocator, is named if it is missing.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
folder=${1:?usage: setup.sh FOLDER}
stamp=$folder/$(cksum < "$here/requirements.txt" | tr ' ' -)
if ! test -e "$stamp"; then
    echo "setting up $folder: some gigabytes to fetch, the first time" >&2
    python3 -m venv "$folder" || exit 1
    "$folder/bin/python" -m pip install -q -r "$here/requirements.txt" || exit 1
    : > "$stamp"
fi
ls /usr/lib/libtcmalloc_minimal.so.* /usr/lib/*/libtcmalloc_minimal.so.* > /dev/null 2>&1 ||
    echo "PyTorch is faster with tcmalloc: apt-get install libtcmalloc-minimal4" >&2
