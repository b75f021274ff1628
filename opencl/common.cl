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
#define GROUP_SUM(x, name) (x)
#define GROUP_MAX(x, name) (x)
#else
/* LANES reals of local memory, declared at the top of a kernel for the two below, which every
 * work-item of the group must reach. */
#define GROUP_SCRATCH(name) local real name[LANES]
#define GROUP_SUM(x, name) group_sum(x, name)
#define GROUP_MAX(x, name) group_max(x, name)

INLINE real group_sum(real x, local real *scratch)
{
    const int lane = get_local_id(0);
    real sum;

    scratch[lane] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = LANES / 2; step > 0; step /= 2) {
        if (lane < step)
            scratch[lane] += scratch[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

INLINE real group_max(real x, local real *scratch)
{
    const int lane = get_local_id(0);
    real most;

    scratch[lane] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = LANES / 2; step > 0; step /= 2) {
        if (lane < step)
            scratch[lane] = fmax(scratch[lane], scratch[lane + step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = scratch[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return most;
}
#endif

/* ---- dropout ------------------------------------------------------------------------------- */

/* Philox4x32-10 (src/base/philox.h): the same words as on the CPU. */
INLINE uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        const uint high0 = mul_hi(counter.x, 0xD2511F53u), low0 = counter.x * 0xD2511F53u;
        const uint high1 = mul_hi(counter.z, 0xCD9E8D57u), low1 = counter.z * 0xCD9E8D57u;

        counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

/* The five parameters of dgm_launch_drop, and a struct of them. */
#define DROP const real drop_scale, const uint drop_threshold, const uint drop_stream, \
             const uint drop_key0, const uint drop_key1
#define DROP_MAKE                                                                           \
    {                                                                                       \
        drop_scale, drop_threshold, drop_stream, (uint2)(drop_key0, drop_key1)              \
    }

struct drop {
    real scale;     /* of what stays */
    uint threshold; /* an element stays iff its word >= threshold; 0: all stay */
    uint stream;
    uint2 key;
};

/* What the elements of columns 4 block .. 4 block + 3 are multiplied by: scale, or 0. */
INLINE float4 drop_factors(const struct drop *drop, int sentence, int position, uint block)
{
    const uint4 words = philox((uint4)(block, (uint)position, (uint)sentence, drop->stream),
                               drop->key);
    const int4 stays = words >= (uint4)drop->threshold;

    return select((float4)0, (float4)drop->scale, stays);
}
