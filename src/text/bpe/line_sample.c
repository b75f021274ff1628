/* line_sample.c: a line is taken with the probability wanted / rest. */
#include "text/bpe/line_sample.h"

#include <string.h>

#include "base/file/file.h"
#include "base/lines/lines.h"

enum { STREAM = 52 };

void dgm_line_sample_init(struct dgm_line_sample *sample, int64_t wanted, int64_t lines)
{
    dgm_random_init(&sample->random, (uint64_t)lines, STREAM, 0, 0);
    sample->wanted = wanted;
    sample->rest = lines;
}

int dgm_line_sample_take(struct dgm_line_sample *sample)
{
    const int takes =
        dgm_random_unit(&sample->random) * (double)sample->rest < (double)sample->wanted;

    sample->rest--;
    sample->wanted -= takes;
    return takes;
}

dgm_status dgm_line_sample_count(struct dgm_env *env, const char *path, int64_t *lines)
{
    struct dgm_lines file;
    dgm_status status;
    int more = 1;

    DGM_TRY(dgm_lines_open(env, &file, path));
    while (more) {
        DGM_TRY_OUT(dgm_lines_next(env, &file, &more));
        if (file.number % 65536 == 0)
            DGM_TRY_OUT(dgm_poll(env));
    }
    *lines += file.number;
out:
    dgm_lines_close(env, &file);
    return status;
}

dgm_status dgm_line_sample_begin(struct dgm_env *env, struct dgm_line_sample *sample,
                                 int64_t wanted, const char *const *paths, size_t count)
{
    int64_t all = 0;

    for (size_t i = 0; i < count; i++) {
        if (dgm_file_is_stream(env, paths[i]))
            return dgm_fail(env, DGM_USAGE,
                            "%s can be read only once, and a sample of its lines needs two passes; "
                            "expected a file",
                            dgm_lines_name(paths[i]));
        DGM_TRY(dgm_line_sample_count(env, paths[i], &all));
    }
    dgm_line_sample_init(sample, wanted, all);
    return DGM_OK;
}
