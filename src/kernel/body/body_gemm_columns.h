/*
 * body_gemm_columns.h: four steps of VEC_WIDTH columns of a transposed matrix, in each instruction set.
 *
 * columns_load(v, from, ld): lane j of v[t] = from[j ld + t], t < 4. Wide registers take four
 * columns apart into each of their quarters, so that one 4 x 4 transposition within the quarters
 * finishes the work.
 */
#ifndef DGM_KERNEL_BODY_BODY_GEMM_COLUMNS_H
#define DGM_KERNEL_BODY_BODY_GEMM_COLUMNS_H

#if VEC_WIDTH == 16

/* Columns j, j + 4, j + 8 and j + 12, four steps of each. */
static inline __m512 columns_quarters(const float *from, int64_t ld)
{
    __m512 x = _mm512_castps128_ps512(_mm_loadu_ps(from));

    x = _mm512_insertf32x4(x, _mm_loadu_ps(from + 4 * ld), 1);
    x = _mm512_insertf32x4(x, _mm_loadu_ps(from + 8 * ld), 2);
    return _mm512_insertf32x4(x, _mm_loadu_ps(from + 12 * ld), 3);
}

static inline void columns_load(vec v[4], const float *from, int64_t ld)
{
    __m512 a = columns_quarters(from, ld), b = columns_quarters(from + ld, ld);
    __m512 c = columns_quarters(from + 2 * ld, ld), d = columns_quarters(from + 3 * ld, ld);
    __m512 ab = _mm512_unpacklo_ps(a, b), AB = _mm512_unpackhi_ps(a, b);
    __m512 cd = _mm512_unpacklo_ps(c, d), CD = _mm512_unpackhi_ps(c, d);

    v[0] = _mm512_shuffle_ps(ab, cd, 0x44);
    v[1] = _mm512_shuffle_ps(ab, cd, 0xee);
    v[2] = _mm512_shuffle_ps(AB, CD, 0x44);
    v[3] = _mm512_shuffle_ps(AB, CD, 0xee);
}

#elif VEC_WIDTH == 8

/* Columns j and j + 4, four steps of each. */
static inline __m256 columns_halves(const float *from, int64_t ld)
{
    __m256 x = _mm256_castps128_ps256(_mm_loadu_ps(from));

    return _mm256_insertf128_ps(x, _mm_loadu_ps(from + 4 * ld), 1);
}

static inline void columns_load(vec v[4], const float *from, int64_t ld)
{
    __m256 a = columns_halves(from, ld), b = columns_halves(from + ld, ld);
    __m256 c = columns_halves(from + 2 * ld, ld), d = columns_halves(from + 3 * ld, ld);
    __m256 ab = _mm256_unpacklo_ps(a, b), AB = _mm256_unpackhi_ps(a, b);
    __m256 cd = _mm256_unpacklo_ps(c, d), CD = _mm256_unpackhi_ps(c, d);

    v[0] = _mm256_shuffle_ps(ab, cd, 0x44);
    v[1] = _mm256_shuffle_ps(ab, cd, 0xee);
    v[2] = _mm256_shuffle_ps(AB, CD, 0x44);
    v[3] = _mm256_shuffle_ps(AB, CD, 0xee);
}

#elif defined(__ARM_NEON)

static inline void columns_load(vec v[4], const float *from, int64_t ld)
{
    float32x4x2_t ab = vtrnq_f32(vld1q_f32(from), vld1q_f32(from + ld));
    float32x4x2_t cd = vtrnq_f32(vld1q_f32(from + 2 * ld), vld1q_f32(from + 3 * ld));

    v[0] = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    v[1] = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    v[2] = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    v[3] = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}

#else

static inline void columns_load(vec v[4], const float *from, int64_t ld)
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

#endif

#endif
