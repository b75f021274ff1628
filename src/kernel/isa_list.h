/*
 * isa_list.h: the instruction sets that have kernels of their own, weakest first.
 *
 * ISA(name): the table is dgm_kernels_<name>. Which of them are there depends on the compiler
 * (configure), the machine (dgm_cpu_features) and nothing else.
 */
ISA(c)
ISA(sse2)
ISA(avx2)
ISA(avx512)
ISA(neon)
