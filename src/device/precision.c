/*
 * precision.c: the words of --precision, and the rounding that they stand for.
 */
#include "device/precision.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const char *const names[DGM_PRECISION_COUNT] = { "f32", "tf32", "bf16" };

const char *dgm_precision_name(enum dgm_precision precision)
{
    return names[precision];
}

dgm_status dgm_precision_parse(struct dgm_env *env, enum dgm_precision *precision, const char *word)
{
    char quoted[DGM_QUOTE_SIZE];

    *precision = DGM_F32;
    if (word == NULL)
        return DGM_OK;
    for (int i = 0; i < DGM_PRECISION_COUNT; i++)
        if (strcmp(word, names[i]) == 0) {
            *precision = (enum dgm_precision)i;
            return DGM_OK;
        }
    dgm_quote(quoted, sizeof quoted, word, strlen(word));
    return dgm_fail(env, DGM_USAGE, "precision: expected one of f32, tf32, bf16, got \"%s\"",
                    quoted);
}

dgm_real dgm_precision_round(enum dgm_precision precision, dgm_real x)
{
    const int dropped = precision == DGM_BF16 ? 16 : 13; /* of the 23 bits behind the point */
    float narrow = (float)x;
    uint32_t bits;

    if (precision == DGM_F32 || isnan(narrow))
        return x;
    memcpy(&bits, &narrow, sizeof bits);
    bits += (UINT32_C(1) << (dropped - 1)) - 1 + (bits >> dropped & 1);
    bits &= UINT32_MAX << dropped;
    memcpy(&narrow, &bits, sizeof narrow);
    return (dgm_real)narrow;
}
