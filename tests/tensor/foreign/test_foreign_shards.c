/* test_foreign_shards.c: safetensors in several files: what their index must say. */
#include <stdio.h>
#include <string.h>

#include "api_case.h"
#include "base/file/writer.h"
#include "base/le.h"
#include "tensor/foreign/foreign.h"
#include "test.h"

/* Little-endian, as files have it. */
static void put_float(unsigned char *out, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    dgm_le32_put(out, bits);
}

/* A safetensors file with one vector of two numbers. */
static void put_shard(const char *file, const char *tensor, float first)
{
    unsigned char numbers[8];
    struct dgm_writer writer;
    char path[512], header[160];
    unsigned char length[8] = { 0 };

    snprintf(header, sizeof header,
             "{\"%s\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [0, 8]}}", tensor);
    length[0] = (unsigned char)strlen(header);
    put_float(numbers, first);
    put_float(numbers + 4, first + 1);
    path_to(path, file);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, length, sizeof length), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, header, strlen(header)), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, numbers, sizeof numbers), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
}

static void put_shards(void)
{
    put_shard("1.safetensors", "a", 1);
    put_shard("2.safetensors", "b", 3);
}

static dgm_status open_index(struct dgm_foreign *file, const char *index)
{
    char path[512];

    put_file(path, "model.safetensors.index.json", index);
    return dgm_foreign_open_shards(test_env(), file, path);
}

static void add_up(void *user, size_t first, size_t count, const dgm_real *values)
{
    for (size_t i = 0; i < count; i++)
        *(double *)user += (double)(first + i + 1) * (double)values[i];
}

static void check_sum(const struct dgm_foreign *file, const char *name, double expected)
{
    const struct dgm_foreign_tensor *tensor = dgm_foreign_find(file, name);
    double sum = 0;

    CHECK(tensor != NULL);
    CHECK_STR(dgm_foreign_name(file, tensor), name);
    CHECK_STATUS(dgm_foreign_read(test_env(), file, tensor, add_up, &sum), DGM_OK);
    CHECK_NEAR(sum, expected, 0);
}

TEST(foreign_shards_are_one_file)
{
    struct dgm_foreign file;

    put_shards();
    CHECK_STATUS(open_index(&file,
                            "{\"metadata\": {\"total_size\": 16, \"x\": \"y\"}, \"weight_map\": "
                            "{\"b\": \"2.safetensors\", \"a\": \"1.safetensors\"}}"),
                 DGM_OK);
    CHECK_INT(file.count, 2);
    check_sum(&file, "a", 1 + 2 * 2);
    check_sum(&file, "b", 3 + 2 * 4);
    dgm_foreign_clear(test_env(), &file);
}

TEST(foreign_shards_are_where_their_index_says)
{
    static const struct {
        const char *index, *message;
    } faults[] = {
        { "{\"weight_map\": {\"a\": \"2.safetensors\", \"b\": \"2.safetensors\"}}",
          "tensor \"a\" is not in 2.safetensors" },
        { "{\"weight_map\": {\"a\": \"1.safetensors\", \"b\": \"1.safetensors\"}}",
          "tensor \"b\" is not in 1.safetensors" },
        { "{\"weight_map\": {\"a\": \"1.safetensors\", \"c\": \"2.safetensors\"}}",
          "tensor \"c\" is not in 2.safetensors" },
        { "{\"weight_map\": {\"a\": \"../1.safetensors\"}}", "the name of one beside this" },
        { "{\"weight_map\": {\"a\": \"\"}}", "the name of one beside this" },
        { "{\"weight_map\": {\"a\": \"3.safetensors\"}}", "No such file" },
        { "{\"weight_map\": {\"a\": \"same.safetensors\", \"b\": \"1.safetensors\"}}",
          "\"a\" stands there twice" },
        { "{\"metadata\": {}}", "expected a weight_map" },
        { "{\"weight_map\": {}, \"weight_map\": {}}", "expected one weight_map" },
        { "{\"weight_map\": {}} x", "expected" },
    };
    struct dgm_foreign file;

    put_shards();
    put_shard("same.safetensors", "a", 1);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        CHECK_STATUS(open_index(&file, faults[i].index), DGM_MODEL);
        if (strstr(test_env()->error.message, faults[i].message) == NULL)
            CHECK_STR(test_env()->error.message, faults[i].message);
        dgm_env_clear_error(test_env());
    }
}

/* One that the index does not name belongs to some model, but not to this. */
TEST(foreign_shards_have_no_tensor_besides)
{
    struct dgm_foreign file;

    put_shards();
    CHECK_STATUS(open_index(&file, "{\"weight_map\": {\"a\": \"1.safetensors\", \"a\": "
                                   "\"2.safetensors\"}}"),
                 DGM_MODEL);
    dgm_env_clear_error(test_env());
}
