# gfx90a.sh: AMD's MI210 to MI250X, for check.sh.
isa_number=9010
is_wave_64=on
. "$here/amd.sh"
