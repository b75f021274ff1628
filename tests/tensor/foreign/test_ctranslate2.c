/* test_ctranslate2.c: numbers of model.bin of CTranslate2, of each type, and other names of them:
 * the files from which fuzzing begins. */
#include <stdio.h>
#include <string.h>

#include "tensor/foreign/foreign.h"
#include "test.h"

static void open_corpus(struct dgm_foreign *file, const char *name, dgm_status expected)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/ctranslate2/%s", test_source_dir(), name);
    CHECK_STATUS(dgm_foreign_open(test_env(), file, path), expected);
}

static void write_all(void *user, size_t first, size_t count, const dgm_real *values)
{
    char *out = user;

    (void)first;
    for (size_t i = 0; i < count; i++)
        sprintf(out + strlen(out), "%g ", (double)values[i]);
}

static void check_values(const struct dgm_foreign *file, const char *name, const char *expected)
{
    const struct dgm_foreign_tensor *tensor = dgm_foreign_find(file, name);
    char values[200] = "";

    CHECK(tensor != NULL);
    CHECK_STATUS(dgm_foreign_read(test_env(), file, tensor, write_all, values), DGM_OK);
    CHECK_STR(values, expected);
}

TEST(ctranslate2_numbers_of_each_type)
{
    struct dgm_foreign file;
    double number;

    open_corpus(&file, "ordinary", DGM_OK);
    CHECK_STR(file.network, "TransformerSpec");
    CHECK_INT(file.revision, 7);
    check_values(&file, "a/weight", "0.5 1 1.5 -0.75 -0.5 -0.25 "); /* int8 by rows: 2, 4 */
    check_values(&file, "z/weight", "0.5 1 1.5 -0.75 -0.5 -0.25 "); /* the same */
    check_values(&file, "b/weight", "1 -0.5 ");                     /* int16 by 1000 */
    check_values(&file, "c/bias", "1 -1 ");                         /* float16 */
    check_values(&file, "d", "1 ");                                 /* bfloat16 */
    CHECK(dgm_foreign_find(&file, "a/weight_scale")->is_scale);
    CHECK(dgm_foreign_find(&file, "z/weight_scale")->is_scale);
    CHECK_STATUS(dgm_foreign_number(test_env(), &file, dgm_foreign_find(&file, "encoder/num_heads"),
                                    &number),
                 DGM_OK);
    CHECK_NEAR(number, 4, 0);
    CHECK_STATUS(dgm_foreign_number(test_env(), &file, dgm_foreign_find(&file, "e"), &number),
                 DGM_OK);
    CHECK_NEAR(number, -7, 0);
    CHECK_STATUS(dgm_foreign_number(test_env(), &file, dgm_foreign_find(&file, "c/bias"), &number),
                 DGM_MODEL);
    dgm_env_clear_error(test_env());
    dgm_foreign_clear(test_env(), &file);
}

TEST(ctranslate2_old_files)
{
    struct dgm_foreign file;

    open_corpus(&file, "old", DGM_OK);
    CHECK_STR(file.network, "TransformerBase");
    check_values(&file, "a/weight", "2 4 6 8 "); /* by 0.5, all of them */
    check_values(&file, "b", "1 -1 ");
    dgm_foreign_clear(test_env(), &file);
    open_corpus(&file, "no-scale", DGM_MODEL);
    CHECK(strstr(test_env()->error.message, "has no \"a/weight_scale\"") != NULL);
    dgm_env_clear_error(test_env());
}
