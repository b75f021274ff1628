/*
 * bench.h: a benchmark is a line BENCH(name) { ... } in any source file of tests/bench;
 * `make bench B=name` runs those whose names contain B.
 *
 *     BENCH(gemm_512) {
 *         ... set up ...
 *         bench_flops(2.0 * 512 * 512 * 512);
 *         bench_case("c");
 *         while (bench_again())
 *             ... the work, once ...
 *         bench_case("avx2");
 *         while (bench_again()) ...
 *     }
 *
 * Each loop prints one line: the median time of a round, its spread, the rate, and the
 * speed relative to the first case of the same benchmark.
 */
#ifndef DGM_BENCH_H
#define DGM_BENCH_H

#define BENCH(name)          \
    void bench_##name(void); \
    void bench_##name(void)

/* Work of one round; set before the loop, kept until changed. Both may be given; 0: none.
 * */
void bench_flops(double flops);
void bench_bytes(double bytes);

/* Names the next loop: an instruction set, a size. */
void bench_case(const char *label);

/* True while another round is wanted; the first rounds only warm up and find the batch
 * size. */
int bench_again(void);

/* Keeps a result from being optimised away. */
void bench_use(double value);

#endif
