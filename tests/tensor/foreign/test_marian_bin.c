/* test_marian_bin.c: numbers of Marian's binary files, whole ones too: the file from which fuzzing
 * begins. */
#include <stdio.h>
#include <string.h>

#include "tensor/foreign/foreign.h"
#include "test.h"

static void write_all(void *user, size_t first, size_t count, const dgm_real *values)
{
    char *out = user;

    (void)first;
    for (size_t i = 0; i < count; i++)
        sprintf(out + strlen(out), "%g ", (double)values[i]);
}

static void check_values(const struct dgm_foreign *file, const char *name, int is_turned,
                         const char *expected)
{
    const struct dgm_foreign_tensor *tensor = dgm_foreign_find(file, name);
    char values[200] = "";

    CHECK(tensor != NULL);
    CHECK_INT(tensor->is_turned, is_turned);
    CHECK_STATUS(dgm_foreign_read(test_env(), file, tensor, write_all, values), DGM_OK);
    CHECK_STR(values, expected);
}

TEST(marian_bin_numbers_of_each_type)
{
    const struct dgm_foreign_tensor *config;
    struct dgm_foreign file;
    char path[1024];

    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/marian_bin/ordinary", test_source_dir());
    CHECK_STATUS(dgm_foreign_open(test_env(), &file, path), DGM_OK);
    CHECK_STR(file.format, "marian");
    check_values(&file, "Wemb", 0, "0.5 1 1.5 -2 -2.5 -3 ");
    check_values(&file, "encoder_l1_self_Wq", 1, "0.5 -2 1 -2.5 1.5 -3 "); /* column by column */
    check_values(&file, "b", 0, "0.5 -1 ");
    config = dgm_foreign_find(&file, "special:model.yml");
    CHECK(config != NULL && config->bytes == 5 && config->type->bytes == 1);
    dgm_foreign_clear(test_env(), &file);
}
