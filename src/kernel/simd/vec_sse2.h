/*
 * vec_sse2.h: the vector vocabulary in SSE2: 4 lanes, no fused multiply-add.
 *
 * Every vec_<isa>.h defines the same names, so that kernel bodies are written once:
 *
 *   VEC_WIDTH      lanes;  vec: floats;  ivec: 32-bit integers;  vmask: one truth per lane
 *   vec_load, vec_store                 unaligned
 *   vec_load_part, vec_store_part(n)    the first n lanes, 0 <= n <= VEC_WIDTH; loads fill with 0,
 *                                       and no memory beyond is touched
 *   vec_prefetch                        asks for a cache line; never faults
 *   vec_fma(a,b,c) = a b + c            vec_fnma(a,b,c) = c - a b; one rounding, or two in SSE2
 *   vec_max(a,b) = a > b ? a : b        vec_min(a,b) = a < b ? a : b; so b if either is NaN
 *   vec_round                           to the nearest integer, ties to even; |x| < 2^31
 *   vec_sum, vec_max_lanes              over the lanes, in a fixed order
 *   vec_store_sums(p,a,b,c,d)           p[0..3] = the lane sums of a, b, c, d, in a fixed order
 *   vec_load_columns(v,p,ld)            lane j of v[t] = p[j ld + t], t < 4: transposes
 *   vec_select(m,a,b) = m ? a : b       vec_keep(m,a) = m ? a : 0
 *   vec_keep_first(x,n)                 lane i < n ? x : 0
 *   vmask_bits                          bit i is lane i
 *   vec_is_nan, vec_gt, vec_ge, vec_eq, vec_to_int (rounds), vec_from_int, vec_bits, ivec_floats
 *   ivec_mul(a,b,&high)                 low and high words of the unsigned product
 *   ivec_reaches(a,b)                   a >= b, unsigned
 *   ivec_shift_left, _right, _right_signed     by a constant
 *   ivec_store_4(p,a,b,c,d)             a0 b0 c0 d0 a1 b1 ...: 4 VEC_WIDTH words
 *   ivec_store_bytes(p,x)               lanes within -128..127 as bytes; not in SSE2
 *   dsum                                sums in double, a fixed order for given calls
 */
#ifndef DGM_KERNEL_SIMD_VEC_SSE2_H
#define DGM_KERNEL_SIMD_VEC_SSE2_H

/* One line to an operation. */
/* clang-format off */

#include <emmintrin.h>
#include <stdint.h>

#define VEC_WIDTH 4

typedef __m128 vec;
typedef __m128i ivec;
typedef __m128 vmask;

static inline vec vec_load(const float *p) { return _mm_loadu_ps(p); }
static inline void vec_store(float *p, vec x) { _mm_storeu_ps(p, x); }

static inline vec vec_load_part(const float *p, int n)
{
    float lanes[4] = { 0, 0, 0, 0 };

    for (int i = 0; i < n; i++)
        lanes[i] = p[i];
    return _mm_loadu_ps(lanes);
}

static inline void vec_store_part(float *p, vec x, int n)
{
    float lanes[4];

    _mm_storeu_ps(lanes, x);
    for (int i = 0; i < n; i++)
        p[i] = lanes[i];
}

static inline vec vec_keep_first(vec x, int n)
{
    __m128i lanes = _mm_cmpgt_epi32(_mm_set1_epi32(n), _mm_setr_epi32(0, 1, 2, 3));

    return _mm_and_ps(_mm_castsi128_ps(lanes), x);
}

static inline void vec_prefetch(const float *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }

static inline vec vec_set1(float x) { return _mm_set1_ps(x); }
static inline vec vec_zero(void) { return _mm_setzero_ps(); }
static inline vec vec_add(vec a, vec b) { return _mm_add_ps(a, b); }
static inline vec vec_sub(vec a, vec b) { return _mm_sub_ps(a, b); }
static inline vec vec_mul(vec a, vec b) { return _mm_mul_ps(a, b); }
static inline vec vec_div(vec a, vec b) { return _mm_div_ps(a, b); }
static inline vec vec_sqrt(vec x) { return _mm_sqrt_ps(x); }
static inline vec vec_fma(vec a, vec b, vec c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
static inline vec vec_fnma(vec a, vec b, vec c) { return _mm_sub_ps(c, _mm_mul_ps(a, b)); }
static inline vec vec_max(vec a, vec b) { return _mm_max_ps(a, b); }
static inline vec vec_min(vec a, vec b) { return _mm_min_ps(a, b); }
static inline vec vec_abs(vec x) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), x); }

/* The magnitude of x with the sign of `sign`. */
static inline vec vec_copysign(vec x, vec sign)
{
    return _mm_or_ps(vec_abs(x), _mm_and_ps(_mm_set1_ps(-0.0f), sign));
}

static inline vec vec_round(vec x) { return _mm_cvtepi32_ps(_mm_cvtps_epi32(x)); }

static inline float vec_sum(vec x)
{
    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_add_ss(x, _mm_shuffle_ps(x, x, 1)));
}

static inline void vec_store_sums(float *p, vec a, vec b, vec c, vec d)
{
    __m128 ab = _mm_add_ps(_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    __m128 cd = _mm_add_ps(_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));

    _mm_storeu_ps(p, _mm_add_ps(_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab)));
}

static inline void vec_load_columns(vec v[4], const float *from, int64_t ld)
{
    __m128 a = _mm_loadu_ps(from), b = _mm_loadu_ps(from + ld);
    __m128 c = _mm_loadu_ps(from + 2 * ld), d = _mm_loadu_ps(from + 3 * ld);
    __m128 ab = _mm_unpacklo_ps(a, b), AB = _mm_unpackhi_ps(a, b);
    __m128 cd = _mm_unpacklo_ps(c, d), CD = _mm_unpackhi_ps(c, d);

    v[0] = _mm_movelh_ps(ab, cd);
    v[1] = _mm_movehl_ps(cd, ab);
    v[2] = _mm_movelh_ps(AB, CD);
    v[3] = _mm_movehl_ps(CD, AB);
}

static inline float vec_max_lanes(vec x)
{
    x = _mm_max_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_max_ss(x, _mm_shuffle_ps(x, x, 1)));
}

static inline vmask vec_gt(vec a, vec b) { return _mm_cmpgt_ps(a, b); }
static inline vmask vec_ge(vec a, vec b) { return _mm_cmpge_ps(a, b); }
static inline vmask vec_eq(vec a, vec b) { return _mm_cmpeq_ps(a, b); }
static inline vmask vec_is_nan(vec x) { return _mm_cmpunord_ps(x, x); }
static inline unsigned vmask_bits(vmask m) { return (unsigned)_mm_movemask_ps(m); }
static inline vec vec_keep(vmask m, vec a) { return _mm_and_ps(m, a); }

static inline vec vec_select(vmask m, vec a, vec b)
{
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}

static inline ivec ivec_set1(uint32_t x) { return _mm_set1_epi32((int)x); }
static inline ivec ivec_iota(void) { return _mm_setr_epi32(0, 1, 2, 3); }
static inline ivec ivec_add(ivec a, ivec b) { return _mm_add_epi32(a, b); }
static inline ivec ivec_sub(ivec a, ivec b) { return _mm_sub_epi32(a, b); }
static inline ivec ivec_and(ivec a, ivec b) { return _mm_and_si128(a, b); }
static inline ivec ivec_or(ivec a, ivec b) { return _mm_or_si128(a, b); }
static inline ivec ivec_xor(ivec a, ivec b) { return _mm_xor_si128(a, b); }
#define ivec_shift_left(x, n) _mm_slli_epi32(x, n)
#define ivec_shift_right(x, n) _mm_srli_epi32(x, n)
#define ivec_shift_right_signed(x, n) _mm_srai_epi32(x, n)
static inline ivec vec_to_int(vec x) { return _mm_cvtps_epi32(x); }
static inline vec vec_from_int(ivec x) { return _mm_cvtepi32_ps(x); }
static inline ivec vec_bits(vec x) { return _mm_castps_si128(x); }
static inline vec ivec_floats(ivec x) { return _mm_castsi128_ps(x); }
static inline ivec ivec_load(const uint32_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void ivec_store(uint32_t *p, ivec x)
{
    _mm_storeu_si128((__m128i *)(void *)p, x);
}

static inline ivec ivec_mul(ivec a, ivec b, ivec *high)
{
    const __m128i low_words = _mm_setr_epi32(-1, 0, -1, 0);
    __m128i even = _mm_mul_epu32(a, b);
    __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));

    *high = _mm_or_si128(_mm_srli_epi64(even, 32), _mm_andnot_si128(low_words, odd));
    return _mm_or_si128(_mm_and_si128(low_words, even), _mm_slli_epi64(odd, 32));
}

static inline vmask ivec_reaches(ivec a, ivec b)
{
    const __m128i sign = _mm_set1_epi32(INT32_MIN);
    __m128i less = _mm_cmplt_epi32(_mm_xor_si128(a, sign), _mm_xor_si128(b, sign));

    return _mm_castsi128_ps(_mm_xor_si128(less, _mm_set1_epi32(-1)));
}

static inline void ivec_store_4(uint32_t *p, ivec a, ivec b, ivec c, ivec d)
{
    __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
    __m128i AB = _mm_unpackhi_epi32(a, b), CD = _mm_unpackhi_epi32(c, d);

    ivec_store(p, _mm_unpacklo_epi64(ab, cd));
    ivec_store(p + 4, _mm_unpackhi_epi64(ab, cd));
    ivec_store(p + 8, _mm_unpacklo_epi64(AB, CD));
    ivec_store(p + 12, _mm_unpackhi_epi64(AB, CD));
}

struct dsum {
    __m128d low, high;
};

static inline struct dsum dsum_zero(void)
{
    struct dsum sum = { _mm_setzero_pd(), _mm_setzero_pd() };

    return sum;
}

static inline void dsum_add(struct dsum *sum, vec x)
{
    sum->low = _mm_add_pd(sum->low, _mm_cvtps_pd(x));
    sum->high = _mm_add_pd(sum->high, _mm_cvtps_pd(_mm_movehl_ps(x, x)));
}

static inline void dsum_add_square(struct dsum *sum, vec x)
{
    __m128d low = _mm_cvtps_pd(x), high = _mm_cvtps_pd(_mm_movehl_ps(x, x));

    sum->low = _mm_add_pd(sum->low, _mm_mul_pd(low, low));
    sum->high = _mm_add_pd(sum->high, _mm_mul_pd(high, high));
}

static inline double dsum_total(const struct dsum *sum)
{
    __m128d both = _mm_add_pd(sum->low, sum->high);

    return _mm_cvtsd_f64(_mm_add_sd(both, _mm_unpackhi_pd(both, both)));
}

/* clang-format on */

#endif
