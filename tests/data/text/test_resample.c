/* test_resample.c: whose pieces are drawn anew. */
#include "data/text/resample.h"

#include <string.h>

#include "test.h"

static void add(struct dgm_buf *out, const void *bytes, size_t size)
{
    CHECK_STATUS(dgm_buf_add(test_env(), out, bytes, size), DGM_OK);
}

/* A SentencePiece model of <unk> and "a", of a kind. */
static void make_model(struct dgm_spm *spm, char kind)
{
    const char trainer[] = { 0x12, 0x02, 0x18, kind }; /* field 2, its field 3 */
    struct dgm_buf bytes = { .data = NULL };

    add(&bytes, "\x0A\x09\x0A\x05<unk>\x18\x02", 11);
    add(&bytes,
        "\x0A\x05\x0A\x01"
        "a\x18\x01",
        7);
    add(&bytes, trainer, sizeof trainer);
    CHECK_STATUS(dgm_spm_parse(test_env(), spm, bytes.data, bytes.size, "m"), DGM_OK);
    dgm_buf_clear(test_env(), &bytes);
}

/* Two models with one vocabulary, as OPUS-MT has them. */
TEST(resample_takes_the_model_of_each_side_of_one_vocabulary)
{
    struct dgm_resample resample;
    struct dgm_pipeline pipeline;

    memset(&pipeline, 0, sizeof pipeline);
    pipeline.has_spm = pipeline.joint = 1;
    make_model(&pipeline.spm[DGM_SOURCE].spm, DGM_SPM_UNIGRAM);
    make_model(&pipeline.spm[DGM_TARGET].spm, DGM_SPM_BPE);
    CHECK_STATUS(dgm_resample_init(test_env(), &resample, &pipeline, 0.1, -1, 1, 100), DGM_USAGE);
    CHECK_STR(test_env()->error.file, "the model of the target");
    dgm_env_clear_error(test_env());
    dgm_resample_clear(test_env(), &resample);
    CHECK_STATUS(dgm_resample_init(test_env(), &resample, &pipeline, 0.1, 0.1, 1, 100), DGM_OK);
    dgm_resample_clear(test_env(), &resample);
    dgm_pipeline_clear(test_env(), &pipeline);
}
