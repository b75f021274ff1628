/*
 * vec_avx2.h: the vector vocabulary (described in vec_sse2.h) in AVX2 with FMA: 8 lanes.
 */
#ifndef DGM_KERNEL_SIMD_VEC_AVX2_H
#define DGM_KERNEL_SIMD_VEC_AVX2_H

/* One line to an operation. */
/* clang-format off */

#include <immintrin.h>
#include <stdint.h>

#define VEC_WIDTH 8

typedef __m256 vec;
typedef __m256i ivec;
typedef __m256 vmask;

static inline vec vec_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void vec_store(float *p, vec x) { _mm256_storeu_ps(p, x); }

/* Lanes 0..n-1 all ones. */
static inline __m256i vec_first_lanes(int n)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline vec vec_load_part(const float *p, int n)
{
    return _mm256_maskload_ps(p, vec_first_lanes(n));
}

static inline void vec_store_part(float *p, vec x, int n)
{
    _mm256_maskstore_ps(p, vec_first_lanes(n), x);
}

static inline vec vec_keep_first(vec x, int n)
{
    return _mm256_and_ps(_mm256_castsi256_ps(vec_first_lanes(n)), x);
}

static inline void vec_prefetch(const float *p) { _mm_prefetch((const char *)p, _MM_HINT_T0); }

static inline vec vec_set1(float x) { return _mm256_set1_ps(x); }
static inline vec vec_zero(void) { return _mm256_setzero_ps(); }
static inline vec vec_add(vec a, vec b) { return _mm256_add_ps(a, b); }
static inline vec vec_sub(vec a, vec b) { return _mm256_sub_ps(a, b); }
static inline vec vec_mul(vec a, vec b) { return _mm256_mul_ps(a, b); }
static inline vec vec_div(vec a, vec b) { return _mm256_div_ps(a, b); }
static inline vec vec_sqrt(vec x) { return _mm256_sqrt_ps(x); }
static inline vec vec_fma(vec a, vec b, vec c) { return _mm256_fmadd_ps(a, b, c); }
static inline vec vec_fnma(vec a, vec b, vec c) { return _mm256_fnmadd_ps(a, b, c); }
static inline vec vec_max(vec a, vec b) { return _mm256_max_ps(a, b); }
static inline vec vec_min(vec a, vec b) { return _mm256_min_ps(a, b); }
static inline vec vec_abs(vec x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }

static inline vec vec_copysign(vec x, vec sign)
{
    return _mm256_blendv_ps(vec_abs(x), _mm256_or_ps(x, _mm256_set1_ps(-0.0f)), sign);
}

static inline vec vec_round(vec x)
{
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline float vec_sum(vec x)
{
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));

    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_shuffle_ps(y, y, 1)));
}

static inline void vec_store_sums(float *p, vec a, vec b, vec c, vec d)
{
    __m256 ab = _mm256_add_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    __m256 cd = _mm256_add_ps(_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    __m256 x = _mm256_add_ps(_mm256_shuffle_ps(ab, cd, 0x44), _mm256_shuffle_ps(ab, cd, 0xee));

    _mm_storeu_ps(p, _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1)));
}

/* Two halves, each of four columns: see vec_avx512.h. */
/* Columns j and j + 4, four steps of each. */
static inline __m256 vec_load_halves(const float *from, int64_t ld)
{
    __m256 x = _mm256_castps128_ps256(_mm_loadu_ps(from));

    return _mm256_insertf128_ps(x, _mm_loadu_ps(from + 4 * ld), 1);
}

static inline void vec_load_columns(vec v[4], const float *from, int64_t ld)
{
    __m256 a = vec_load_halves(from, ld), b = vec_load_halves(from + ld, ld);
    __m256 c = vec_load_halves(from + 2 * ld, ld), d = vec_load_halves(from + 3 * ld, ld);
    __m256 ab = _mm256_unpacklo_ps(a, b), AB = _mm256_unpackhi_ps(a, b);
    __m256 cd = _mm256_unpacklo_ps(c, d), CD = _mm256_unpackhi_ps(c, d);

    v[0] = _mm256_shuffle_ps(ab, cd, 0x44);
    v[1] = _mm256_shuffle_ps(ab, cd, 0xee);
    v[2] = _mm256_shuffle_ps(AB, CD, 0x44);
    v[3] = _mm256_shuffle_ps(AB, CD, 0xee);
}

static inline float vec_max_lanes(vec x)
{
    __m128 y = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));

    y = _mm_max_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_max_ss(y, _mm_shuffle_ps(y, y, 1)));
}

static inline vmask vec_gt(vec a, vec b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
static inline vmask vec_ge(vec a, vec b) { return _mm256_cmp_ps(a, b, _CMP_GE_OQ); }
static inline vmask vec_eq(vec a, vec b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static inline vmask vec_is_nan(vec x) { return _mm256_cmp_ps(x, x, _CMP_UNORD_Q); }
static inline unsigned vmask_bits(vmask m) { return (unsigned)_mm256_movemask_ps(m); }
static inline vec vec_keep(vmask m, vec a) { return _mm256_and_ps(m, a); }
static inline vec vec_select(vmask m, vec a, vec b) { return _mm256_blendv_ps(b, a, m); }

static inline ivec ivec_set1(uint32_t x) { return _mm256_set1_epi32((int)x); }
static inline ivec ivec_iota(void) { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
static inline ivec ivec_add(ivec a, ivec b) { return _mm256_add_epi32(a, b); }
static inline ivec ivec_sub(ivec a, ivec b) { return _mm256_sub_epi32(a, b); }
static inline ivec ivec_and(ivec a, ivec b) { return _mm256_and_si256(a, b); }
static inline ivec ivec_or(ivec a, ivec b) { return _mm256_or_si256(a, b); }
static inline ivec ivec_xor(ivec a, ivec b) { return _mm256_xor_si256(a, b); }
#define ivec_shift_left(x, n) _mm256_slli_epi32(x, n)
#define ivec_shift_right(x, n) _mm256_srli_epi32(x, n)
#define ivec_shift_right_signed(x, n) _mm256_srai_epi32(x, n)
static inline ivec vec_to_int(vec x) { return _mm256_cvtps_epi32(x); }
static inline vec vec_from_int(ivec x) { return _mm256_cvtepi32_ps(x); }
static inline ivec vec_bits(vec x) { return _mm256_castps_si256(x); }
static inline vec ivec_floats(ivec x) { return _mm256_castsi256_ps(x); }
static inline ivec ivec_load(const uint32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void ivec_store(uint32_t *p, ivec x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, x);
}

static inline void ivec_store_bytes(int8_t *p, ivec x)
{
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));

    _mm_storel_epi64((__m128i *)(void *)p, _mm_packs_epi16(words, words));
}

static inline ivec ivec_mul(ivec a, ivec b, ivec *high)
{
    __m256i even = _mm256_mul_epu32(a, b);
    __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));

    *high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
    return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}

static inline vmask ivec_reaches(ivec a, ivec b)
{
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a));
}

static inline void ivec_store_4(uint32_t *p, ivec a, ivec b, ivec c, ivec d)
{
    __m256i ab = _mm256_unpacklo_epi32(a, b), cd = _mm256_unpacklo_epi32(c, d);
    __m256i AB = _mm256_unpackhi_epi32(a, b), CD = _mm256_unpackhi_epi32(c, d);
    __m256i x04 = _mm256_unpacklo_epi64(ab, cd), x15 = _mm256_unpackhi_epi64(ab, cd);
    __m256i x26 = _mm256_unpacklo_epi64(AB, CD), x37 = _mm256_unpackhi_epi64(AB, CD);

    ivec_store(p, _mm256_permute2x128_si256(x04, x15, 0x20));
    ivec_store(p + 8, _mm256_permute2x128_si256(x26, x37, 0x20));
    ivec_store(p + 16, _mm256_permute2x128_si256(x04, x15, 0x31));
    ivec_store(p + 24, _mm256_permute2x128_si256(x26, x37, 0x31));
}

struct dsum {
    __m256d low, high;
};

static inline struct dsum dsum_zero(void)
{
    struct dsum sum = { _mm256_setzero_pd(), _mm256_setzero_pd() };

    return sum;
}

static inline void dsum_add(struct dsum *sum, vec x)
{
    sum->low = _mm256_add_pd(sum->low, _mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    sum->high = _mm256_add_pd(sum->high, _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
}

static inline void dsum_add_square(struct dsum *sum, vec x)
{
    __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(x));
    __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1));

    sum->low = _mm256_fmadd_pd(low, low, sum->low);
    sum->high = _mm256_fmadd_pd(high, high, sum->high);
}

static inline double dsum_total(const struct dsum *sum)
{
    __m256d four = _mm256_add_pd(sum->low, sum->high);
    __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));

    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

/* clang-format on */

#endif
