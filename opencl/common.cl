/*
 * common.cl: what stands before every program: vectors, operands, sums of a group, dropout.
 *
 * One source serves processors and GPUs. A kernel handles VEC neighbouring reals in a work-item
 * and, where it walks over a row, LANES work-items share the row: 16 and 1 on a processor, whose
 * compilers want explicit vectors and no barriers; 1 and 64 or more on a GPU, whose neighbours read
 * neighbouring addresses. Sums run in an order that depends on VEC, LANES and the shape alone.
 */
#ifndef VEC
#define VEC 1
#endif
#ifndef LANES
#define LANES 64
#endif

typedef float real;

/* PoCL 3.1 calls a plain inline function, vectors and all, where this one costs nothing. */
#define INLINE static inline __attribute__((always_inline))

/*
 * PoCL 3.1 makes three copies of a kernel, for three ways to call it, and compiles each of them. A
 * long function that is called is compiled once: ONCE. Its parameters are numbers and pointers, it
 * asks for no ids, and it has no barriers but where it is inline: with several work-items in a
 * group. Kernels HIDE the addresses of local arrays before they hand them on: the compiler would
 * put an address that is always the same into the function, and PoCL moves the array.
 */
#if defined POCL_DEVICE_ADDRESS_BITS && LANES == 1
#define ONCE static __attribute__((noinline))
#define HIDE(p) __asm__("" : "+r"(p))
#else
#define ONCE INLINE
#define HIDE(p) (void)(p)
#endif

/* Intel's compiler puts up to 32 work-items into a thread; where that leaves each too few
 * registers, kernels ask for fewer (choose.c). */
#if defined SUBGROUP && defined cl_intel_required_subgroup_size
#define NARROW __attribute__((intel_reqd_sub_group_size(SUBGROUP)))
#else
#define NARROW
#endif

/* ---- vectors ------------------------------------------------------------------------------- */

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#if VEC > 1
typedef PASTE(float, VEC) vreal;
typedef PASTE(int, VEC) vint;
#define VLOAD(p) PASTE(vload, VEC)(0, p)
#define VSTORE(v, p) PASTE(vstore, VEC)(v, 0, p)
#else
typedef real vreal;
typedef int vint;
#define VLOAD(p) (*(p))
#define VSTORE(v, p) (*(p) = (v))
#endif

/* The first `count` of VEC reals at p, `other` in the places beyond. */
INLINE vreal load_part(global const real *p, int count, real other)
{
#if VEC > 1
    real x[VEC];

    if (count >= VEC)
        return VLOAD(p);
#pragma unroll
    for (int i = 0; i < VEC; i++)
        x[i] = i < count ? p[i] : other;
    return PASTE(vload, VEC)(0, x);
#else
    return count > 0 ? *p : other;
#endif
}

INLINE void store_part(vreal v, global real *p, int count)
{
#if VEC > 1
    real x[VEC];

    if (count >= VEC) {
        VSTORE(v, p);
        return;
    }
    PASTE(vstore, VEC)(v, 0, x);
#pragma unroll
    for (int i = 0; i < VEC; i++)
        if (i < count)
            p[i] = x[i];
#else
    if (count > 0)
        *p = v;
#endif
}

/* Stores v, or adds it to what is there. */
INLINE void put_part(global real *to, vreal v, int count, int accumulate)
{
    store_part(accumulate ? v + load_part(to, count, 0) : v, to, count);
}

/* The sum, and the largest, of the elements of a vector; a NaN is passed on by the sum alone. */
INLINE real vector_sum(vreal v)
{
#if VEC == 16
    float8 a = v.lo + v.hi;
    float4 b = a.lo + a.hi;
    return (b.x + b.z) + (b.y + b.w);
#elif VEC == 8
    float4 b = v.lo + v.hi;
    return (b.x + b.z) + (b.y + b.w);
#elif VEC == 4
    return (v.x + v.z) + (v.y + v.w);
#else
    return v;
#endif
}

INLINE real vector_max(vreal v)
{
#if VEC == 16
    float8 a = fmax(v.lo, v.hi);
    float4 b = fmax(a.lo, a.hi);
    return fmax(fmax(b.x, b.z), fmax(b.y, b.w));
#elif VEC == 8
    float4 b = fmax(v.lo, v.hi);
    return fmax(fmax(b.x, b.z), fmax(b.y, b.w));
#elif VEC == 4
    return fmax(fmax(v.x, v.z), fmax(v.y, v.w));
#else
    return v;
#endif
}

INLINE vreal sigmoid(vreal x)
{
    return 1 / (1 + exp(-x));
}

/* ---- operands ------------------------------------------------------------------------------ */

/*
 * An operand is a buffer and an offset in bytes, two parameters: a parameter list has
 * OPERAND(const real, x), and the body begins with OPEN(const real, x), which declares x: a
 * pointer, NULL where the operand is absent.
 */
#define OPERAND(type, name) global type *name##_buffer, const ulong name##_offset
#define OPEN(type, name)                                                                   \
    global type *const name =                                                              \
        name##_buffer ? (global type *)((global const char *)name##_buffer + name##_offset) : 0

/* In kernels on `total` elements: where those of this work-item begin, and how many they are; ends
 * the kernel if there are none. */
#define BEGIN                                                                               \
    const long at = (long)get_global_id(0) * VEC;                                           \
    const int count = (int)min(total - at, (long)VEC);                                      \
    if (count <= 0)                                                                         \
        return

/* In kernels on `rows` rows of `width` elements: the row of this work-item, its first column, and
 * how many columns are left from there; ends the kernel beyond the last row. */
#define BEGIN_ROW(row, rows, width)                                                         \
    const uint parts_of_row = (uint)PARTS_OF(width, VEC);                                   \
    const int row = (int)((uint)get_global_id(0) / parts_of_row);                           \
    const int column = (int)((uint)get_global_id(0) % parts_of_row) * VEC;                  \
    const int count = (width) - column;                                                     \
    if (row >= (rows))                                                                      \
        return

/* ---- groups of LANES work-items ------------------------------------------------------------ */

#if LANES == 1
#define LANE 0
#else
#define LANE ((int)get_local_id(0))
#endif
/* Walks over the vectors of a row of `count` that are this work-item's: each begins at j. */
#define EACH_VECTOR(j, count) for (int j = LANE * VEC; j < (count); j += LANES * VEC)

#if LANES == 1
#define GROUP_SCRATCH(name)
#define SCRATCH 0
#define GROUP_SUM(x, name) (x)
#define GROUP_MAX(x, name) (x)
#else
/* LANES reals of local memory, declared at the top of a kernel for the two below, which every
 * work-item of the group must reach. */
#define GROUP_SCRATCH(name) local real name[LANES]
#define SCRATCH scratch /* how functions are given GROUP_SCRATCH(scratch) */
#define GROUP_SUM(x, name) group_sum(x, name)
#define GROUP_MAX(x, name) group_max(x, name)

/* Defines name(x, scratch): op(x, x of another work-item, ...) over the group, as a tree. */
#define GROUP_FOLD(type, name, op)                                                          \
    INLINE type name(type x, local type *scratch)                                           \
    {                                                                                       \
        type all;                                                                           \
                                                                                            \
        scratch[LANE] = x;                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                       \
        for (int step = LANES / 2; step > 0; step /= 2) {                                   \
            if (LANE < step)                                                                \
                scratch[LANE] = op(scratch[LANE], scratch[LANE + step]);                    \
            barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        }                                                                                   \
        all = scratch[0];                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                       \
        return all;                                                                         \
    }
#define PLUS(a, b) ((a) + (b))

GROUP_FOLD(real, group_sum, PLUS)
GROUP_FOLD(real, group_max, fmax)
#endif

/* ---- rows ---------------------------------------------------------------------------------- */

/*
 * Where elements of a row do not depend on each other, a work-item handles a strip of STRIP columns
 * at a time, and a tile of TILE columns where there is dropout, which draws four at once; in each
 * case RUN of them (dgm_launch_strips, dgm_launch_tiles), numbered row by row.
 */
#if IS_CPU
#define STRIP 64
#define TILE 64
#define RUN 16
#else
#define STRIP VEC
#define TILE (VEC > 4 ? VEC : 4)
#define RUN 1
#endif

/* How many are `width` columns wide in a row of `dim`. */
#define PARTS_OF(dim, width) (((dim) + (width)-1) / (width))
/* for (each number `item` of this work-item, below `count`) */
#define FOR_ITEMS(item, count)                                                              \
    for (int item = (int)get_global_id(0) * RUN;                                            \
         item < min((int)(count), ((int)get_global_id(0) + 1) * RUN); item++)

#include "drop.clh"
