# gfx1100.sh: AMD's RX 7900, for check.sh.
isa_number=11000
is_wave_64=off
. "$here/amd.sh"
