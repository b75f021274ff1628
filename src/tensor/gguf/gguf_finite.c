/*
 * gguf_finite.c: reading tensors of numbers that are computed with: neither NaN nor infinite.
 *
 * One such weight makes every score of a model NaN, and every translation an empty line. The test is
 * of bits, so that it costs little beside reading: in a float that is no number, and in no other, the
 * exponent is all ones, and one more at its lowest bit runs over into the sign.
 */
#include <string.h>

#include "tensor/gguf/gguf.h"

enum { BLOCK = 1024 };

#ifdef DGM_REAL_IS_DOUBLE
typedef uint64_t bits_of_real;
#define EXPONENT_STEP ((bits_of_real)1 << 52)
#else
typedef uint32_t bits_of_real;
#define EXPONENT_STEP ((bits_of_real)1 << 23)
#endif
#define SIGN ((bits_of_real)1 << (8 * sizeof(bits_of_real) - 1))

static bits_of_real overflow(const dgm_real *value)
{
    bits_of_real bits;

    memcpy(&bits, value, sizeof bits);
    return (bits & ~SIGN) + EXPONENT_STEP;
}

/* Whether one of BLOCK values is not finite: no branch, for compilers that make vectors of it. */
static int block_is_bad(const dgm_real *values)
{
    bits_of_real any = 0;
    size_t i;

    for (i = 0; i < BLOCK; i++)
        any |= overflow(&values[i]);
    return (any & SIGN) != 0;
}

/* The first value that is not finite, or `count`. */
static size_t find_bad(const dgm_real *values, size_t count)
{
    size_t i = 0;

    while (i + BLOCK <= count && !block_is_bad(values + i))
        i += BLOCK;
    while (i < count && !(overflow(&values[i]) & SIGN))
        i++;
    return i;
}

dgm_status dgm_gguf_read_finite(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor, dgm_real *out, size_t count)
{
    size_t bad;

    DGM_TRY(dgm_gguf_read_reals(env, file, tensor, out, count));
    bad = find_bad(out, count);
    if (bad == count)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "tensor \"%s\": value %zu of %zu is %s; "
                       "expected finite numbers. Try another checkpoint of the run",
                       tensor->name, bad + 1, count, out[bad] == out[bad] ? "infinite" : "NaN");
}
