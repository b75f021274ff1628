/*
 * vec_neon.h: the vector vocabulary (described in vec_sse2.h) in AArch64's Advanced SIMD: 4 lanes.
 */
#ifndef DGM_KERNEL_SIMD_VEC_NEON_H
#define DGM_KERNEL_SIMD_VEC_NEON_H

/* One line to an operation. */
/* clang-format off */

#include <arm_neon.h>
#include <stdint.h>

#define VEC_WIDTH 4

typedef float32x4_t vec;
typedef uint32x4_t ivec;
typedef uint32x4_t vmask;

static inline vec vec_load(const float *p) { return vld1q_f32(p); }
static inline void vec_store(float *p, vec x) { vst1q_f32(p, x); }

static inline vec vec_load_part(const float *p, int n)
{
    float lanes[4] = { 0, 0, 0, 0 };

    for (int i = 0; i < n; i++)
        lanes[i] = p[i];
    return vld1q_f32(lanes);
}

static inline void vec_store_part(float *p, vec x, int n)
{
    float lanes[4];

    vst1q_f32(lanes, x);
    for (int i = 0; i < n; i++)
        p[i] = lanes[i];
}

static inline vec vec_keep_first(vec x, int n)
{
    static const int32_t order[4] = { 0, 1, 2, 3 };
    uint32x4_t lanes = vcgtq_s32(vdupq_n_s32(n), vld1q_s32(order));

    return vreinterpretq_f32_u32(vandq_u32(lanes, vreinterpretq_u32_f32(x)));
}

static inline void vec_prefetch(const float *p) { __builtin_prefetch(p); }

static inline vec vec_set1(float x) { return vdupq_n_f32(x); }
static inline vec vec_zero(void) { return vdupq_n_f32(0); }
static inline vec vec_add(vec a, vec b) { return vaddq_f32(a, b); }
static inline vec vec_sub(vec a, vec b) { return vsubq_f32(a, b); }
static inline vec vec_mul(vec a, vec b) { return vmulq_f32(a, b); }
static inline vec vec_div(vec a, vec b) { return vdivq_f32(a, b); }
static inline vec vec_sqrt(vec x) { return vsqrtq_f32(x); }
static inline vec vec_fma(vec a, vec b, vec c) { return vfmaq_f32(c, a, b); }
static inline vec vec_fnma(vec a, vec b, vec c) { return vfmsq_f32(c, a, b); }
/* Not FMAX, which would return NaN where vec_max must return b. */
static inline vec vec_max(vec a, vec b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
static inline vec vec_min(vec a, vec b) { return vbslq_f32(vcltq_f32(a, b), a, b); }
static inline vec vec_abs(vec x) { return vabsq_f32(x); }

static inline vec vec_copysign(vec x, vec sign)
{
    return vbslq_f32(vdupq_n_u32(0x80000000u), sign, x);
}

static inline vec vec_round(vec x) { return vrndnq_f32(x); }

static inline float vec_sum(vec x)
{
    float32x2_t two = vadd_f32(vget_low_f32(x), vget_high_f32(x));

    return vget_lane_f32(vpadd_f32(two, two), 0);
}

static inline void vec_store_sums(float *p, vec a, vec b, vec c, vec d)
{
    vst1q_f32(p, vpaddq_f32(vpaddq_f32(a, b), vpaddq_f32(c, d)));
}

static inline void vec_load_columns(vec v[4], const float *from, int64_t ld)
{
    float32x4x2_t ab = vtrnq_f32(vld1q_f32(from), vld1q_f32(from + ld));
    float32x4x2_t cd = vtrnq_f32(vld1q_f32(from + 2 * ld), vld1q_f32(from + 3 * ld));

    v[0] = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
    v[1] = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
    v[2] = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
    v[3] = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}

static inline float vec_max_lanes(vec x)
{
    x = vec_max(x, vextq_f32(x, x, 2));
    return vgetq_lane_f32(vec_max(x, vextq_f32(x, x, 1)), 0);
}

static inline vmask vec_gt(vec a, vec b) { return vcgtq_f32(a, b); }
static inline vmask vec_ge(vec a, vec b) { return vcgeq_f32(a, b); }
static inline vmask vec_eq(vec a, vec b) { return vceqq_f32(a, b); }
static inline vmask vec_is_nan(vec x) { return vmvnq_u32(vceqq_f32(x, x)); }

static inline unsigned vmask_bits(vmask m)
{
    static const uint32_t bits[4] = { 1, 2, 4, 8 };

    return vaddvq_u32(vandq_u32(m, vld1q_u32(bits)));
}

static inline vec vec_keep(vmask m, vec a)
{
    return vreinterpretq_f32_u32(vandq_u32(m, vreinterpretq_u32_f32(a)));
}

static inline vec vec_select(vmask m, vec a, vec b) { return vbslq_f32(m, a, b); }

static inline ivec ivec_set1(uint32_t x) { return vdupq_n_u32(x); }

static inline ivec ivec_iota(void)
{
    static const uint32_t lanes[4] = { 0, 1, 2, 3 };

    return vld1q_u32(lanes);
}

static inline ivec ivec_add(ivec a, ivec b) { return vaddq_u32(a, b); }
static inline ivec ivec_sub(ivec a, ivec b) { return vsubq_u32(a, b); }
static inline ivec ivec_and(ivec a, ivec b) { return vandq_u32(a, b); }
static inline ivec ivec_or(ivec a, ivec b) { return vorrq_u32(a, b); }
static inline ivec ivec_xor(ivec a, ivec b) { return veorq_u32(a, b); }
#define ivec_shift_left(x, n) vshlq_n_u32(x, n)
#define ivec_shift_right(x, n) vshrq_n_u32(x, n)
#define ivec_shift_right_signed(x, n) \
    vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_u32(x), n))
static inline ivec vec_to_int(vec x) { return vreinterpretq_u32_s32(vcvtnq_s32_f32(x)); }
static inline vec vec_from_int(ivec x) { return vcvtq_f32_s32(vreinterpretq_s32_u32(x)); }
static inline ivec vec_bits(vec x) { return vreinterpretq_u32_f32(x); }
static inline vec ivec_floats(ivec x) { return vreinterpretq_f32_u32(x); }
static inline ivec ivec_load(const uint32_t *p) { return vld1q_u32(p); }
static inline void ivec_store(uint32_t *p, ivec x) { vst1q_u32(p, x); }

static inline void ivec_store_bytes(int8_t *p, ivec x)
{
    int16x4_t words = vqmovn_s32(vreinterpretq_s32_u32(x));
    int8x8_t bytes = vqmovn_s16(vcombine_s16(words, words));

    vst1_lane_s32((int32_t *)(void *)p, vreinterpret_s32_s8(bytes), 0);
}

static inline ivec ivec_mul(ivec a, ivec b, ivec *high)
{
    uint32x4_t low = vreinterpretq_u32_u64(vmull_u32(vget_low_u32(a), vget_low_u32(b)));
    uint32x4_t up = vreinterpretq_u32_u64(vmull_high_u32(a, b));

    *high = vuzp2q_u32(low, up);
    return vuzp1q_u32(low, up);
}

static inline vmask ivec_reaches(ivec a, ivec b) { return vcgeq_u32(a, b); }

static inline void ivec_store_4(uint32_t *p, ivec a, ivec b, ivec c, ivec d)
{
    uint32x4x4_t four = { { a, b, c, d } };

    vst4q_u32(p, four);
}

struct dsum {
    float64x2_t low, high;
};

static inline struct dsum dsum_zero(void)
{
    struct dsum sum = { vdupq_n_f64(0), vdupq_n_f64(0) };

    return sum;
}

static inline void dsum_add(struct dsum *sum, vec x)
{
    sum->low = vaddq_f64(sum->low, vcvt_f64_f32(vget_low_f32(x)));
    sum->high = vaddq_f64(sum->high, vcvt_high_f64_f32(x));
}

static inline void dsum_add_square(struct dsum *sum, vec x)
{
    float64x2_t low = vcvt_f64_f32(vget_low_f32(x)), high = vcvt_high_f64_f32(x);

    sum->low = vfmaq_f64(sum->low, low, low);
    sum->high = vfmaq_f64(sum->high, high, high);
}

static inline double dsum_total(const struct dsum *sum)
{
    return vaddvq_f64(vaddq_f64(sum->low, sum->high));
}

/* clang-format on */

#endif
