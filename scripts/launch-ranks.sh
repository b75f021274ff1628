#!/bin/sh
# launch-ranks.sh OPTION... COMMAND...: $MPIRUN [mpirun], for tests: as root, with more ranks than processors, none of
# which waits by spinning alone. Each start has a folder of its own for what the launcher keeps: Open MPI 4.1 removes
# the folder of all when a start ends, and another one that begins meanwhile fails.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/ranks.XXXXXX") || exit 1
export TMPDIR
rc=0
${MPIRUN:-mpirun} "$@" || rc=$?
rm -rf "$TMPDIR"
exit $rc
