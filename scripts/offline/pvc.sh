# pvc.sh: Intel Data Center GPU Max, for check.sh.
. "$here/intel.sh"
