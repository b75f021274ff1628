/*
 * vec_avx512.h: the vector vocabulary (described in vec_sse2.h) in AVX-512: 16 lanes, and masks
 * in registers of their own.
 */
#ifndef DGM_KERNEL_SIMD_VEC_AVX512_H
#define DGM_KERNEL_SIMD_VEC_AVX512_H

/* One line to an operation. */
/* clang-format off */

#include <immintrin.h>
#include <stdint.h>

#define VEC_WIDTH 16

typedef __m512 vec;
typedef __m512i ivec;
typedef __mmask16 vmask;

static inline vec vec_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void vec_store(float *p, vec x) { _mm512_storeu_ps(p, x); }

static inline vmask vec_first_lanes(int n) { return (vmask)((1u << n) - 1); }

static inline vec vec_load_part(const float *p, int n)
{
    return _mm512_maskz_loadu_ps(vec_first_lanes(n), p);
}

static inline void vec_store_part(float *p, vec x, int n)
{
    _mm512_mask_storeu_ps(p, vec_first_lanes(n), x);
}

static inline vec vec_keep_first(vec x, int n)
{
    return _mm512_maskz_mov_ps(vec_first_lanes(n), x);
}

static inline void vec_prefetch(const float *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }

static inline vec vec_set1(float x) { return _mm512_set1_ps(x); }
static inline vec vec_zero(void) { return _mm512_setzero_ps(); }
static inline vec vec_add(vec a, vec b) { return _mm512_add_ps(a, b); }
static inline vec vec_sub(vec a, vec b) { return _mm512_sub_ps(a, b); }
static inline vec vec_mul(vec a, vec b) { return _mm512_mul_ps(a, b); }
static inline vec vec_div(vec a, vec b) { return _mm512_div_ps(a, b); }
static inline vec vec_sqrt(vec x) { return _mm512_sqrt_ps(x); }
static inline vec vec_fma(vec a, vec b, vec c) { return _mm512_fmadd_ps(a, b, c); }
static inline vec vec_fnma(vec a, vec b, vec c) { return _mm512_fnmadd_ps(a, b, c); }
static inline vec vec_max(vec a, vec b) { return _mm512_max_ps(a, b); }
static inline vec vec_min(vec a, vec b) { return _mm512_min_ps(a, b); }
static inline vec vec_abs(vec x) { return _mm512_abs_ps(x); }

static inline vec vec_copysign(vec x, vec sign)
{
    return _mm512_or_ps(vec_abs(x), _mm512_and_ps(_mm512_set1_ps(-0.0f), sign));
}

static inline vec vec_round(vec x)
{
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* x 2^n for a whole n of any size, rounded once; the other instruction sets do it in vec_math.h. */
#define VEC_HAS_LDEXP
static inline vec vec_ldexp(vec x, vec n) { return _mm512_scalef_ps(x, n); }

static inline __m256 vec_high_half(vec x)
{
    return _mm512_extractf32x8_ps(x, 1);
}

static inline float vec_sum(vec x)
{
    __m256 y = _mm256_add_ps(_mm512_castps512_ps256(x), vec_high_half(x));
    __m128 z = _mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));

    z = _mm_add_ps(z, _mm_movehl_ps(z, z));
    return _mm_cvtss_f32(_mm_add_ss(z, _mm_shuffle_ps(z, z, 1)));
}

static inline void vec_store_sums(float *p, vec a, vec b, vec c, vec d)
{
    __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    __m512 x = _mm512_add_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xee));
    __m256 y = _mm256_add_ps(_mm512_castps512_ps256(x), vec_high_half(x));

    _mm_storeu_ps(p, _mm_add_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1)));
}

/* Four columns in each quarter of the registers, so that one 4 x 4 transposition within the
 * quarters finishes the work. */
/* Columns j, j + 4, j + 8 and j + 12, four steps of each. */
static inline __m512 vec_load_quarters(const float *from, int64_t ld)
{
    __m512 x = _mm512_castps128_ps512(_mm_loadu_ps(from));

    x = _mm512_insertf32x4(x, _mm_loadu_ps(from + 4 * ld), 1);
    x = _mm512_insertf32x4(x, _mm_loadu_ps(from + 8 * ld), 2);
    return _mm512_insertf32x4(x, _mm_loadu_ps(from + 12 * ld), 3);
}

static inline void vec_load_columns(vec v[4], const float *from, int64_t ld)
{
    __m512 a = vec_load_quarters(from, ld), b = vec_load_quarters(from + ld, ld);
    __m512 c = vec_load_quarters(from + 2 * ld, ld), d = vec_load_quarters(from + 3 * ld, ld);
    __m512 ab = _mm512_unpacklo_ps(a, b), AB = _mm512_unpackhi_ps(a, b);
    __m512 cd = _mm512_unpacklo_ps(c, d), CD = _mm512_unpackhi_ps(c, d);

    v[0] = _mm512_shuffle_ps(ab, cd, 0x44);
    v[1] = _mm512_shuffle_ps(ab, cd, 0xee);
    v[2] = _mm512_shuffle_ps(AB, CD, 0x44);
    v[3] = _mm512_shuffle_ps(AB, CD, 0xee);
}

static inline float vec_max_lanes(vec x)
{
    __m256 y = _mm256_max_ps(_mm512_castps512_ps256(x), vec_high_half(x));
    __m128 z = _mm_max_ps(_mm256_castps256_ps128(y), _mm256_extractf128_ps(y, 1));

    z = _mm_max_ps(z, _mm_movehl_ps(z, z));
    return _mm_cvtss_f32(_mm_max_ss(z, _mm_shuffle_ps(z, z, 1)));
}

static inline vmask vec_gt(vec a, vec b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
static inline vmask vec_ge(vec a, vec b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
static inline vmask vec_eq(vec a, vec b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline vmask vec_is_nan(vec x) { return _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q); }
static inline unsigned vmask_bits(vmask m) { return m; }
static inline vec vec_keep(vmask m, vec a) { return _mm512_maskz_mov_ps(m, a); }
static inline vec vec_select(vmask m, vec a, vec b) { return _mm512_mask_blend_ps(m, b, a); }

static inline ivec ivec_set1(uint32_t x) { return _mm512_set1_epi32((int)x); }
static inline ivec ivec_iota(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline ivec ivec_add(ivec a, ivec b) { return _mm512_add_epi32(a, b); }
static inline ivec ivec_sub(ivec a, ivec b) { return _mm512_sub_epi32(a, b); }
static inline ivec ivec_and(ivec a, ivec b) { return _mm512_and_si512(a, b); }
static inline ivec ivec_or(ivec a, ivec b) { return _mm512_or_si512(a, b); }
static inline ivec ivec_xor(ivec a, ivec b) { return _mm512_xor_si512(a, b); }
#define ivec_shift_left(x, n) _mm512_slli_epi32(x, n)
#define ivec_shift_right(x, n) _mm512_srli_epi32(x, n)
#define ivec_shift_right_signed(x, n) _mm512_srai_epi32(x, n)
static inline ivec vec_to_int(vec x) { return _mm512_cvtps_epi32(x); }
static inline vec vec_from_int(ivec x) { return _mm512_cvtepi32_ps(x); }
static inline ivec vec_bits(vec x) { return _mm512_castps_si512(x); }
static inline vec ivec_floats(ivec x) { return _mm512_castsi512_ps(x); }
static inline ivec ivec_load(const uint32_t *p) { return _mm512_loadu_si512(p); }
static inline void ivec_store(uint32_t *p, ivec x) { _mm512_storeu_si512(p, x); }

static inline void ivec_store_bytes(int8_t *p, ivec x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(x));
}

static inline ivec ivec_mul(ivec a, ivec b, ivec *high)
{
    __m512i even = _mm512_mul_epu32(a, b);
    __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));

    *high = _mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xaaaa, odd);
    return _mm512_mask_mov_epi32(even, 0xaaaa, _mm512_slli_epi64(odd, 32));
}

static inline vmask ivec_reaches(ivec a, ivec b)
{
    return _mm512_cmpge_epu32_mask(a, b);
}

static inline void ivec_store_4(uint32_t *p, ivec a, ivec b, ivec c, ivec d)
{
    __m512i ab = _mm512_unpacklo_epi32(a, b), cd = _mm512_unpacklo_epi32(c, d);
    __m512i AB = _mm512_unpackhi_epi32(a, b), CD = _mm512_unpackhi_epi32(c, d);
    __m512i x048 = _mm512_unpacklo_epi64(ab, cd), x159 = _mm512_unpackhi_epi64(ab, cd);
    __m512i x26a = _mm512_unpacklo_epi64(AB, CD), x37b = _mm512_unpackhi_epi64(AB, CD);
    __m512i x0415 = _mm512_shuffle_i32x4(x048, x159, 0x44);
    __m512i x2637 = _mm512_shuffle_i32x4(x26a, x37b, 0x44);
    __m512i x8c9d = _mm512_shuffle_i32x4(x048, x159, 0xee);
    __m512i xaebf = _mm512_shuffle_i32x4(x26a, x37b, 0xee);

    ivec_store(p, _mm512_shuffle_i32x4(x0415, x2637, 0x88));
    ivec_store(p + 16, _mm512_shuffle_i32x4(x0415, x2637, 0xdd));
    ivec_store(p + 32, _mm512_shuffle_i32x4(x8c9d, xaebf, 0x88));
    ivec_store(p + 48, _mm512_shuffle_i32x4(x8c9d, xaebf, 0xdd));
}

struct dsum {
    __m512d low, high;
};

static inline struct dsum dsum_zero(void)
{
    struct dsum sum = { _mm512_setzero_pd(), _mm512_setzero_pd() };

    return sum;
}

static inline void dsum_add(struct dsum *sum, vec x)
{
    sum->low = _mm512_add_pd(sum->low, _mm512_cvtps_pd(_mm512_castps512_ps256(x)));
    sum->high = _mm512_add_pd(sum->high, _mm512_cvtps_pd(vec_high_half(x)));
}

static inline void dsum_add_square(struct dsum *sum, vec x)
{
    __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(x));
    __m512d high = _mm512_cvtps_pd(vec_high_half(x));

    sum->low = _mm512_fmadd_pd(low, low, sum->low);
    sum->high = _mm512_fmadd_pd(high, high, sum->high);
}

static inline double dsum_total(const struct dsum *sum)
{
    __m512d eight = _mm512_add_pd(sum->low, sum->high);
    __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(eight),
                                 _mm512_extractf64x4_pd(eight, 1));
    __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));

    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

/* clang-format on */

#endif
