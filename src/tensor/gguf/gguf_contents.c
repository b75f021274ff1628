/*
 * gguf_contents.c: what of a GGUF file Dragoman reads, as one number.
 */
#include "tensor/gguf/gguf_contents.h"

#include <string.h>

#include "base/hash.h"
#include "base/le.h"

static void add_number(struct dgm_hash *hash, uint64_t number)
{
    unsigned char bytes[8];

    dgm_le64_put(bytes, number);
    dgm_hash_add(hash, bytes, sizeof bytes);
}

static int is_sum_of_head(const char *key)
{
    return strcmp(key, DGM_GGUF_KEY_META) == 0 || strcmp(key, DGM_GGUF_KEY_CONTENTS) == 0;
}

int dgm_gguf_is_checksum(const char *key)
{
    return is_sum_of_head(key) || strcmp(key, DGM_GGUF_KEY_TENSORS) == 0;
}

int dgm_gguf_is_made(const char *key)
{
    return strcmp(key, DGM_GGUF_KEY_ALIGNMENT) == 0 || dgm_gguf_is_checksum(key);
}

/* Each text is hashed with the NUL behind it, which parts it from what follows. */
static uint64_t sum_of_key(const struct dgm_gguf *file, const struct dgm_gguf_key *key)
{
    struct dgm_hash hash;

    dgm_hash_init(&hash, 0);
    dgm_hash_add(&hash, key->name, strlen(key->name) + 1);
    add_number(&hash, key->is_array ? DGM_GGUF_VALUE_ARRAY : key->type);
    dgm_hash_add(&hash, file->bytes + key->at, key->bytes);
    return dgm_hash_value(&hash);
}

static uint64_t sum_of_tensor(const struct dgm_gguf_tensor *tensor, size_t place)
{
    struct dgm_hash hash;

    dgm_hash_init(&hash, 1);
    dgm_hash_add(&hash, tensor->name, strlen(tensor->name) + 1);
    add_number(&hash, tensor->type);
    add_number(&hash, (uint64_t)tensor->rank);
    for (int i = 0; i < tensor->rank; i++)
        add_number(&hash, tensor->dims[i]);
    add_number(&hash, place);
    return dgm_hash_value(&hash);
}

uint64_t dgm_gguf_contents(const struct dgm_gguf *file)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < file->key_count; i++)
        if (strncmp(file->keys[i].name, "dragoman.", 9) == 0 && !is_sum_of_head(file->keys[i].name))
            sum += sum_of_key(file, &file->keys[i]);
    for (size_t i = 0; i < file->tensor_count; i++)
        sum += sum_of_tensor(&file->tensors[i], i);
    return sum;
}
