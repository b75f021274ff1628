/*
 * gguf_get.c: what a loaded GGUF file says: values of keys, and numbers of tensors.
 */
#include "tensor/gguf/gguf_get.h"

#include <assert.h>
#include <float.h>
#include <string.h>

#include "base/le.h"
#include "base/number/number.h"
#include "tensor/half.h"

/* ---- values ------------------------------------------------------------------------ */

const struct dgm_gguf_key *dgm_gguf_find_key(const struct dgm_gguf *file, const char *name)
{
    struct dgm_map_entry *entry = dgm_map_find(&file->key_map, name, strlen(name));

    return entry ? &file->keys[entry - file->key_map.entries] : NULL;
}

static const struct dgm_gguf_key *find_scalar(const struct dgm_gguf *file, const char *name)
{
    const struct dgm_gguf_key *key = dgm_gguf_find_key(file, name);

    return key && !key->is_array ? key : NULL;
}

static int is_int(const struct dgm_gguf_key *key)
{
    switch (key->type) {
    case DGM_GGUF_VALUE_F32:
    case DGM_GGUF_VALUE_F64:
    case DGM_GGUF_VALUE_BOOL:
    case DGM_GGUF_VALUE_STRING:
    case DGM_GGUF_VALUE_ARRAY: return 0;
    default: return 1;
    }
}

static int is_real(const struct dgm_gguf_key *key)
{
    return key->type == DGM_GGUF_VALUE_F32 || key->type == DGM_GGUF_VALUE_F64;
}

/* Two's complement without relying on how the machine converts. */
static int64_t signed_of(uint64_t bits, int width)
{
    uint64_t sign = (uint64_t)1 << (width - 1);

    if (!(bits & sign))
        return (int64_t)bits;
    return -(int64_t)((sign - 1) - (bits & (sign - 1))) - 1;
}

static int64_t int_of(const unsigned char *p, enum dgm_gguf_value type)
{
    switch (type) {
    case DGM_GGUF_VALUE_U8: return p[0];
    case DGM_GGUF_VALUE_I8: return signed_of(p[0], 8);
    case DGM_GGUF_VALUE_U16: return dgm_le16(p);
    case DGM_GGUF_VALUE_I16: return signed_of(dgm_le16(p), 16);
    case DGM_GGUF_VALUE_U32: return dgm_le32(p);
    case DGM_GGUF_VALUE_I32: return signed_of(dgm_le32(p), 32);
    default: return signed_of(dgm_le64(p), 64);
    }
}

static double real_of(const unsigned char *p, enum dgm_gguf_value type)
{
    return type == DGM_GGUF_VALUE_F32 ? (double)dgm_le_f32(p) : dgm_le_f64(p);
}

const char *dgm_gguf_text(const struct dgm_gguf *file, const char *name, size_t *length)
{
    const struct dgm_gguf_key *key = find_scalar(file, name);

    if (!key || key->type != DGM_GGUF_VALUE_STRING)
        return NULL;
    *length = (size_t)dgm_le64(file->bytes + key->at);
    return (const char *)file->bytes + key->at + 8;
}

int dgm_gguf_int(const struct dgm_gguf *file, const char *name, int64_t *value)
{
    const struct dgm_gguf_key *key = find_scalar(file, name);
    int64_t found;

    if (!key || !is_int(key))
        return 0;
    found = int_of(file->bytes + key->at, key->type);
    if (key->type == DGM_GGUF_VALUE_U64 && found < 0) /* beyond INT64_MAX */
        return 0;
    *value = found;
    return 1;
}

int dgm_gguf_uint(const struct dgm_gguf *file, const char *name, uint64_t *value)
{
    const struct dgm_gguf_key *key = find_scalar(file, name);
    int64_t found;

    if (!key || !is_int(key))
        return 0;
    found = int_of(file->bytes + key->at, key->type);
    if (key->type != DGM_GGUF_VALUE_U64 && found < 0)
        return 0;
    *value = (uint64_t)found;
    return 1;
}

int dgm_gguf_real(const struct dgm_gguf *file, const char *name, double *value)
{
    const struct dgm_gguf_key *key = find_scalar(file, name);

    if (!key || !(is_real(key) || is_int(key)))
        return 0;
    if (is_real(key))
        *value = real_of(file->bytes + key->at, key->type);
    else if (key->type == DGM_GGUF_VALUE_U64)
        *value = (double)dgm_le64(file->bytes + key->at);
    else
        *value = (double)int_of(file->bytes + key->at, key->type);
    return 1;
}

int dgm_gguf_flag(const struct dgm_gguf *file, const char *name, int *value)
{
    const struct dgm_gguf_key *key = find_scalar(file, name);

    if (!key || key->type != DGM_GGUF_VALUE_BOOL)
        return 0;
    *value = file->bytes[key->at];
    return 1;
}

/* ---- arrays ------------------------------------------------------------------------ */

static const struct dgm_gguf_key *find_array(const struct dgm_gguf *file, const char *name)
{
    const struct dgm_gguf_key *key = dgm_gguf_find_key(file, name);

    return key && key->is_array ? key : NULL;
}

const struct dgm_gguf_key *dgm_gguf_strings(const struct dgm_gguf *file, const char *name,
                                            size_t *count)
{
    const struct dgm_gguf_key *key = find_array(file, name);

    if (!key || key->type != DGM_GGUF_VALUE_STRING)
        return NULL;
    *count = key->count;
    return key;
}

const struct dgm_gguf_key *dgm_gguf_ints(const struct dgm_gguf *file, const char *name,
                                         size_t *count)
{
    const struct dgm_gguf_key *key = find_array(file, name);

    if (!key || !is_int(key))
        return NULL;
    *count = key->count;
    return key;
}

static const unsigned char *item_of(const struct dgm_gguf *file, const struct dgm_gguf_key *key,
                                    size_t i)
{
    assert(i < key->count);
    return file->bytes + key->first + i * dgm_gguf_value_bytes((uint32_t)key->type);
}

const char *dgm_gguf_string_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key,
                               size_t i, size_t *length)
{
    assert(key->strings && i < key->count);
    *length = (size_t)dgm_le64(file->bytes + key->strings[i]);
    return (const char *)file->bytes + key->strings[i] + 8;
}

int64_t dgm_gguf_int_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key, size_t i)
{
    assert(is_int(key));
    return int_of(item_of(file, key, i), key->type);
}

double dgm_gguf_real_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key, size_t i)
{
    assert(is_real(key));
    return real_of(item_of(file, key, i), key->type);
}

/* ---- tensors ----------------------------------------------------------------------- */

const struct dgm_gguf_tensor *dgm_gguf_find_tensor(const struct dgm_gguf *file, const char *name)
{
    struct dgm_map_entry *entry = dgm_map_find(&file->tensor_map, name, strlen(name));

    return entry ? &file->tensors[entry - file->tensor_map.entries] : NULL;
}

const unsigned char *dgm_gguf_data(const struct dgm_gguf *file,
                                   const struct dgm_gguf_tensor *tensor)
{
    return file->bytes + tensor->at;
}

static dgm_status check_request(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor, size_t count)
{
    if (tensor->count != count)
        return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)tensor->at,
                             "tensor '%s' has %zu numbers; expected %zu", tensor->name,
                             tensor->count, count);
    return dgm_gguf_check_reals(env, file, tensor);
}

dgm_status dgm_gguf_check_reals(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor)
{
    if (!dgm_gguf_type_find((uint32_t)tensor->type)->is_real)
        return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)tensor->at,
                             "tensor '%s' has type %s; expected floating-point numbers",
                             tensor->name, dgm_gguf_type_name(tensor->type));
    return DGM_OK;
}

static void read_blocks(dgm_real *out, const unsigned char *in, size_t count)
{
    float block[DGM_HALF_Q8_COUNT];
    size_t i;
    int j;

    for (i = 0; i < count; i += DGM_HALF_Q8_COUNT, in += DGM_HALF_Q8_BYTES) {
        dgm_half_from_q8(block, in);
        for (j = 0; j < DGM_HALF_Q8_COUNT; j++)
            out[i + (size_t)j] = (dgm_real)block[j];
    }
}

void dgm_gguf_convert(dgm_real *out, const unsigned char *in, enum dgm_gguf_type type, size_t count)
{
    size_t i;

    switch (type) {
    case DGM_GGUF_F32:
        for (i = 0; i < count; i++)
            out[i] = (dgm_real)dgm_le_f32(in + 4 * i);
        break;
    case DGM_GGUF_F16:
        for (i = 0; i < count; i++)
            out[i] = (dgm_real)dgm_half_from_f16(dgm_le16(in + 2 * i));
        break;
    case DGM_GGUF_BF16:
        for (i = 0; i < count; i++)
            out[i] = (dgm_real)dgm_half_from_bf16(dgm_le16(in + 2 * i));
        break;
    case DGM_GGUF_F64:
        for (i = 0; i < count; i++)
            out[i] = (dgm_real)dgm_le_f64(in + 8 * i);
        break;
    default: read_blocks(out, in, count); break;
    }
}

dgm_status dgm_gguf_read_reals(struct dgm_env *env, const struct dgm_gguf *file,
                               const struct dgm_gguf_tensor *tensor, dgm_real *out, size_t count)
{
    DGM_TRY(check_request(env, file, tensor, count));
    dgm_gguf_convert(out, dgm_gguf_data(file, tensor), tensor->type, count);
    return DGM_OK;
}

/* ---- numbers that cannot be used ------------------------------------------------------------- */

/*
 * One NaN or infinite weight makes every score of a model NaN, and every translation an empty line.
 * The test is of bits, so that it costs little beside reading: without their sign, the bits of
 * numbers are in the order of their sizes, infinity and then NaN last, and what is added makes the
 * first of those that are too large run over into the sign.
 */
enum { BLOCK = 1024 };

#ifdef DGM_REAL_IS_DOUBLE
typedef uint64_t bits_of_real;
#define LARGEST DBL_MAX
#else
typedef uint32_t bits_of_real;
#define LARGEST FLT_MAX
#endif
#define SIGN ((bits_of_real)1 << (8 * sizeof(bits_of_real) - 1))

static bits_of_real bits_of(const dgm_real *value)
{
    bits_of_real bits;

    memcpy(&bits, value, sizeof bits);
    return bits & ~SIGN;
}

/* Whether one of BLOCK values is beyond: no branch, for compilers that make vectors of it. */
static int block_is_beyond(const dgm_real *values, bits_of_real added)
{
    bits_of_real any = 0;
    size_t i;

    for (i = 0; i < BLOCK; i++)
        any |= bits_of(&values[i]) + added;
    return (any & SIGN) != 0;
}

size_t dgm_gguf_find_beyond(const dgm_real *values, size_t count, dgm_real most)
{
    const bits_of_real added = SIGN - 1 - bits_of(&most);
    size_t i = 0;

    while (i + BLOCK <= count && !block_is_beyond(values + i, added))
        i += BLOCK;
    while (i < count && !((bits_of(&values[i]) + added) & SIGN))
        i++;
    return i;
}

size_t dgm_gguf_find_bad(const dgm_real *values, size_t count)
{
    return dgm_gguf_find_beyond(values, count, LARGEST);
}

dgm_status dgm_gguf_fail_finite(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor, size_t bad, dgm_real value)
{
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "tensor \"%s\": value %zu of %zu is %s; "
                       "expected finite numbers. Try another checkpoint of the run",
                       tensor->name, bad + 1, tensor->count, value == value ? "infinite" : "NaN");
}

dgm_status dgm_gguf_fail_range(struct dgm_env *env, const struct dgm_gguf *file,
                               const struct dgm_gguf_tensor *tensor, size_t bad, double value,
                               const char *type, double most, const char *expected)
{
    char number[32], end[32];

    dgm_number_print(number, value, 6);
    dgm_number_print(end, most, 6);
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "tensor \"%s\": value %zu of %zu is %s, and %s ends at %s; expected %s",
                       tensor->name, bad + 1, tensor->count, number, type, end, expected);
}

dgm_status dgm_gguf_read_finite(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor, dgm_real *out, size_t count)
{
    size_t bad;

    DGM_TRY(dgm_gguf_read_reals(env, file, tensor, out, count));
    bad = dgm_gguf_find_bad(out, count);
    return bad == count ? DGM_OK : dgm_gguf_fail_finite(env, file, tensor, bad, out[bad]);
}
