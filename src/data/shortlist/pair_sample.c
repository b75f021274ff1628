/*
 * pair_sample.c: pairs of sentences of a parallel corpus, spread evenly over it.
 */
#include "data/shortlist/pair_sample.h"

#include <string.h>

#include "data/text/pairs_reader.h"

struct sampling {
    struct dgm_pair_sample *sample;
    struct dgm_pipeline *pipeline;
    struct dgm_pairs_reader pairs;
    struct dgm_encoded encoded[2];
    int32_t most, longest;
};

static dgm_status add_side(struct dgm_env *env, struct dgm_packed *side,
                           const struct dgm_encoded *line)
{
    return dgm_packed_add(env, side, line->ids, line->words, line->n, NULL, line->n_words);
}

static dgm_status add_pair(struct dgm_env *env, struct sampling *job)
{
    const struct dgm_encoded *encoded = job->encoded;
    int is_left_out = job->pairs.is_cut;

    dgm_pairs_reader_warn_cut(env, &job->pairs);
    for (int side = DGM_SOURCE; side <= DGM_TARGET && !is_left_out; side++) {
        const struct dgm_buf *line = job->pairs.line[side];

        DGM_TRY(dgm_pipeline_encode(env, job->pipeline, side, &job->encoded[side], line->data,
                                    line->size));
        is_left_out |= dgm_encoded_is_blank(&encoded[side]) ||
                       dgm_encoded_tokens(&encoded[side]) > job->longest;
    }
    if (is_left_out) {
        job->sample->left_out++;
        return DGM_OK;
    }
    DGM_TRY(add_side(env, &job->sample->source, &encoded[DGM_SOURCE]));
    return add_side(env, &job->sample->target, &encoded[DGM_TARGET]);
}

/* Every second sentence, from the first on. */
static dgm_status halve_side(struct dgm_env *env, struct dgm_packed *side)
{
    struct dgm_packed half = { 0 };
    dgm_status status = DGM_OK;

    for (int32_t s = 0; s < side->count && status == DGM_OK; s += 2)
        status = dgm_packed_append(env, &half, side, s);
    if (status != DGM_OK) {
        dgm_packed_clear(env, &half);
        return status;
    }
    dgm_packed_clear(env, side);
    *side = half;
    return DGM_OK;
}

/* There are more pairs than are wanted: half of them go, and half of those that follow. */
static dgm_status halve(struct dgm_env *env, struct dgm_pair_sample *sample)
{
    sample->stride *= 2;
    DGM_TRY(halve_side(env, &sample->source));
    return halve_side(env, &sample->target);
}

static dgm_status read_pairs(struct dgm_env *env, struct sampling *job)
{
    struct dgm_pair_sample *sample = job->sample;
    int more;

    for (;;) {
        DGM_TRY(dgm_pairs_reader_next(env, &job->pairs, &more));
        if (!more)
            break;
        if (sample->lines % 4096 == 0)
            DGM_TRY(dgm_poll(env));
        if (sample->lines++ % sample->stride != 0)
            continue;
        DGM_TRY(add_pair(env, job));
        if (sample->source.count > job->most)
            DGM_TRY(halve(env, sample));
    }
    if (sample->source.count == 0)
        return dgm_fail_at(env, DGM_DATA, job->pairs.text->path[DGM_SOURCE], 0, 0,
                           "no sentence pairs; expected at least 1");
    return DGM_OK;
}

dgm_status dgm_pair_sample_read(struct dgm_env *env, struct dgm_pair_sample *sample,
                                struct dgm_pipeline *pipeline, const char *source,
                                const char *target, int32_t most, int32_t longest)
{
    struct sampling job = {
        .sample = sample, .pipeline = pipeline, .most = most, .longest = longest
    };
    const struct dgm_text text = { .path = { source, target } };
    dgm_status status;

    sample->stride = 1;
    status = dgm_pairs_reader_open(env, &job.pairs, &text, DGM_BAD_LINE_REPLACE);
    if (status == DGM_OK)
        status = read_pairs(env, &job);
    dgm_pairs_reader_close(env, &job.pairs);
    dgm_encoded_clear(env, &job.encoded[DGM_SOURCE]);
    dgm_encoded_clear(env, &job.encoded[DGM_TARGET]);
    return status;
}

void dgm_pair_sample_clear(struct dgm_env *env, struct dgm_pair_sample *sample)
{
    dgm_packed_clear(env, &sample->source);
    dgm_packed_clear(env, &sample->target);
    memset(sample, 0, sizeof *sample);
}
