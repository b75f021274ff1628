/* test_devices.c: the list of devices. */
#include "api_case.h"

TEST(api_devices_names_the_kernels_in_use)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    dgm_context_options options;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_devices(context, keep, &out), DGM_OK);
    CHECK(strncmp(out.data, "cpu: ", 5) == 0);
    CHECK(strstr(out.data, "used\n") != NULL);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.isa = "avx9";
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_OK);
    CHECK_FAILS(context, dgm_devices(context, keep, NULL), DGM_USAGE);
    dgm_context_free(context);
}
