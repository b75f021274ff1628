/*
 * gguf_rules.c: the types of GGUF files, what may be a name, and what is text.
 */
#include "tensor/gguf/gguf_rules.h"

#include "base/mem.h"
#include "tensor/half.h"
#include "text/unicode/utf8.h"

static const struct dgm_gguf_type_rule type_rules[] = {
    { .type = DGM_GGUF_F32, .name = "f32", .block = 1, .bytes = 4, .is_real = 1 },
    { .type = DGM_GGUF_F16, .name = "f16", .block = 1, .bytes = 2, .is_real = 1 },
    { .type = DGM_GGUF_Q8_0,
      .name = "q8_0",
      .block = DGM_HALF_Q8_COUNT,
      .bytes = DGM_HALF_Q8_BYTES,
      .is_real = 1 },
    { .type = DGM_GGUF_I8, .name = "i8", .block = 1, .bytes = 1 },
    { .type = DGM_GGUF_I16, .name = "i16", .block = 1, .bytes = 2 },
    { .type = DGM_GGUF_I32, .name = "i32", .block = 1, .bytes = 4 },
    { .type = DGM_GGUF_I64, .name = "i64", .block = 1, .bytes = 8 },
    { .type = DGM_GGUF_F64, .name = "f64", .block = 1, .bytes = 8, .is_real = 1 },
    { .type = DGM_GGUF_BF16, .name = "bf16", .block = 1, .bytes = 2, .is_real = 1 },
};

const struct dgm_gguf_type_rule *dgm_gguf_type_find(uint32_t type)
{
    size_t i;

    for (i = 0; i < sizeof type_rules / sizeof type_rules[0]; i++)
        if ((uint32_t)type_rules[i].type == type)
            return &type_rules[i];
    return NULL;
}

const char *dgm_gguf_type_name(enum dgm_gguf_type type)
{
    const struct dgm_gguf_type_rule *rule = dgm_gguf_type_find((uint32_t)type);

    return rule ? rule->name : "unknown";
}

size_t dgm_gguf_value_bytes(uint32_t type)
{
    static const unsigned char bytes[] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };

    return type < sizeof bytes ? bytes[type] : 0;
}

int dgm_gguf_name_is_good(const char *name, size_t length, size_t limit)
{
    size_t i;

    if (length == 0 || length > limit)
        return 0;
    for (i = 0; i < length; i++)
        if (name[i] < 0x21 || name[i] > 0x7E)
            return 0;
    return 1;
}

int dgm_gguf_text_is_good(const char *text, size_t length)
{
    size_t offset, bytes;
    long column;

    return !dgm_utf8_find_bad(text, length, &offset, &bytes, &column);
}

int dgm_gguf_shape_bytes(size_t *count, size_t *bytes, const struct dgm_gguf_type_rule *rule,
                         int rank, const size_t *dims)
{
    size_t product = 1;
    int i;

    for (i = 0; i < rank; i++)
        if (!dgm_size_mul(&product, product, dims[i]))
            return 0;
    *count = product;
    return dgm_size_mul(bytes, product / rule->block, rule->bytes);
}
