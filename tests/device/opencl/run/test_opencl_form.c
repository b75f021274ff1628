/*
 * test_opencl_form.c: which calls of a task have which form, and what forms are called. Needs no
 * device.
 */
#include <string.h>

#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/run/form.h"

/* A reference to something. */
static struct dgm_ref some(void)
{
    static char memory;
    const struct dgm_ref ref = { (struct dgm_buffer *)(void *)&memory, 0 };

    return ref;
}

TEST(opencl_form_of_attention_follows_its_terms)
{
    struct dgm_attention_forward_args forward;
    struct dgm_attention_backward_args backward;

    memset(&forward, 0, sizeof forward);
    memset(&backward, 0, sizeof backward);
    CHECK_INT(dgm_cl_form_of(DGM_TASK_attention_forward, &forward),
              DGM_FORM_attention_forward_plain);
    CHECK_INT(dgm_cl_form_of(DGM_TASK_attention_backward, &backward),
              DGM_FORM_attention_backward_plain);
    forward.in.center = some();
    backward.core.label_count[1] = 3;
    CHECK_INT(dgm_cl_form_of(DGM_TASK_attention_forward, &forward), DGM_TASK_attention_forward);
    CHECK_INT(dgm_cl_form_of(DGM_TASK_attention_backward, &backward), DGM_TASK_attention_backward);
}

TEST(opencl_form_of_products_follows_what_gradients_need)
{
    struct dgm_gemm_args args;

    memset(&args, 0, sizeof args);
    args.form = DGM_NT;
    args.bias = some();
    CHECK_INT(dgm_cl_form_of(DGM_TASK_gemm, &args), DGM_FORM_gemm_forward);
    args.mask = some();
    CHECK_INT(dgm_cl_form_of(DGM_TASK_gemm, &args), DGM_TASK_gemm);
    args.mask.buffer = NULL;
    args.form = DGM_TN;
    CHECK_INT(dgm_cl_form_of(DGM_TASK_gemm, &args), DGM_TASK_gemm);
}

TEST(opencl_form_titles_differ)
{
    char titles[DGM_FORM_COUNT][DGM_FORM_TITLE_SIZE];

    for (int i = 0; i < DGM_FORM_COUNT; i++) {
        dgm_cl_form_title(i, titles[i]);
        for (int j = 0; j < i; j++)
            CHECK(strcmp(titles[i], titles[j]) != 0);
    }
    CHECK_STR(titles[DGM_TASK_norm_forward], "norm_forward");
    CHECK_STR(titles[DGM_TASK_gemm], "gemm (backward)");
    CHECK_STR(titles[DGM_FORM_gemm_forward], "gemm (forward)");
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_form_of_attention_follows_its_terms)
NEEDS_OPENCL(opencl_form_of_products_follows_what_gradients_need)
NEEDS_OPENCL(opencl_form_titles_differ)
#endif
