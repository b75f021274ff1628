# dg2.sh: Intel Arc, for check.sh.
. "$here/intel.sh"
