/* parse_mates.c: a batch by the other parsers of an ensemble, and the mean of all scores. */
#include "decode/parse/parse_mates.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "decode/parse/parse_batch.h"
#include "decode/parse/parse_peers.h"
#include "decode/parse/score_mean.h"

/* ---- opening --------------------------------------------------------------------------------- */

/* One that gives scores alone; it is counted at once, so that it is closed in any case. */
static dgm_status open_mate(struct dgm_env *env, struct dgm_parse *parse,
                            const struct dgm_parse_peer *peer)
{
    const struct dgm_parse_options options = {
        .morphs = dgm_parse_morphs(parse),
    };
    struct dgm_parse *mate;

    DGM_TRY(dgm_new(env, &mate, 1, sizeof *mate));
    parse->mates[parse->mate_count++] = mate;
    return dgm_parse_init_alone(env, mate, peer->parser, parse->device, &options);
}

dgm_status dgm_parse_mates_open(struct dgm_env *env, struct dgm_parse *parse)
{
    if (parse->options.peer_count == 0)
        return DGM_OK;
    DGM_TRY(dgm_new(env, &parse->mates, (size_t)parse->options.peer_count, sizeof *parse->mates));
    while (parse->mate_count < parse->options.peer_count)
        DGM_TRY(open_mate(env, parse, &parse->options.peers[parse->mate_count]));
    return DGM_OK;
}

void dgm_parse_mates_close(struct dgm_env *env, struct dgm_parse *parse)
{
    for (int k = 0; k < parse->mate_count; k++) {
        dgm_parse_clear_alone(env, parse->mates[k]);
        dgm_release(env, parse->mates[k]);
    }
    dgm_release(env, parse->mates);
    parse->mates = NULL;
    parse->mate_count = 0;
}

/* ---- scores ---------------------------------------------------------------------------------- */

dgm_status dgm_parse_mates_size(struct dgm_env *env, struct dgm_parse *parse,
                                const int32_t *numbers, int32_t count, double *bytes)
{
    for (int k = 0; k < parse->mate_count; k++) {
        double more;

        DGM_TRY(dgm_parse_size_alone(env, parse->mates[k], parse->options.peers[k].bank, numbers,
                                     count, &more));
        *bytes += more;
    }
    return DGM_OK;
}

dgm_status dgm_parse_mates_score(struct dgm_env *env, struct dgm_parse *parse,
                                 const int32_t *numbers, int32_t count)
{
    for (int k = 0; k < parse->mate_count; k++)
        DGM_TRY(dgm_parse_score(env, parse->mates[k], parse->options.peers[k].bank, numbers, count,
                                NULL));
    return DGM_OK;
}

/* mate->latest.tags: those that the first one's bank gives, or else those that were chosen
 * together, as classes of the mate. Whether one is not given. */
static int hand_tags(const struct dgm_parse *parse, struct dgm_parse *mate, const int32_t *order,
                     const struct dgm_treebank *bank, const int32_t *numbers)
{
    const struct dgm_packed *rows = &parse->step.rows;
    int missing = 0;

    for (int32_t s = 0; s < rows->count; s++) {
        const int32_t *given = bank->tags + bank->rows.offsets[numbers[s]];

        mate->latest.tags[rows->offsets[s]] = -1;
        for (int32_t i = rows->offsets[s] + 1; i < rows->offsets[s + 1]; i++) {
            int32_t tag = given[i - rows->offsets[s]];

            missing |= tag < 0;
            mate->latest.tags[i] = order[tag >= 0 ? tag : parse->latest.tags[i]];
        }
    }
    return missing;
}

dgm_status dgm_parse_mates_score_again(struct dgm_env *env, struct dgm_parse *parse,
                                       const struct dgm_treebank *bank, const int32_t *numbers,
                                       int32_t count)
{
    for (int k = 0; k < parse->mate_count; k++) {
        const struct dgm_parse_peer *peer = &parse->options.peers[k];
        struct dgm_parse *mate = parse->mates[k];

        if (mate->parser->config.tag_input &&
            hand_tags(parse, mate, peer->order[DGM_CLASSES_TAGS], bank, numbers))
            DGM_TRY(dgm_parse_score(env, mate, peer->bank, numbers, count, mate->latest.tags));
    }
    return DGM_OK;
}

/* ---- means ----------------------------------------------------------------------------------- */

/* Of what all have in their `scores`. */
static struct dgm_score_mean gather(const struct dgm_parse *parse)
{
    struct dgm_score_mean mean = { 0 };

    mean.of[mean.count++] = parse->scores;
    for (int k = 0; k < parse->mate_count; k++)
        mean.of[mean.count++] = parse->mates[k]->scores;
    return mean;
}

static struct dgm_score_mean gather_classes(const struct dgm_parse *parse, int kind)
{
    struct dgm_score_mean mean = gather(parse);

    for (int k = 0; k < parse->mate_count; k++) {
        assert(parse->options.peers[k].order[kind] != NULL); /* numbers of its own would mix */
        mean.order[k + 1] = parse->options.peers[k].order[kind];
    }
    return mean;
}

dgm_status dgm_parse_mates_mean(struct dgm_env *env, struct dgm_parse *parse, int kind)
{
    const int64_t rows = parse->step.base.source.rows;
    const int64_t classes =
        kind == DGM_CLASSES_TAGS ? parse->parser->tags : parse->parser->morphs[kind].classes;
    struct dgm_score_mean mean;

    if (parse->mate_count == 0)
        return DGM_OK;
    for (int k = 0; k < parse->mate_count; k++) {
        const struct dgm_parser_scores *nodes = &parse->mates[k]->nodes;

        DGM_TRY(dgm_parse_read_node(env, parse->mates[k],
                                    kind == DGM_CLASSES_TAGS ? nodes->tags : nodes->morphs[kind],
                                    rows * classes));
    }
    mean = gather_classes(parse, kind);
    dgm_score_mean_rows(&mean, rows, classes, -1);
    return DGM_OK;
}

dgm_status dgm_parse_mates_mean_arcs(struct dgm_env *env, struct dgm_parse *parse)
{
    struct dgm_score_mean mean;

    if (parse->mate_count == 0)
        return DGM_OK;
    for (int k = 0; k < parse->mate_count; k++)
        DGM_TRY(dgm_parse_read_arcs(env, parse->mates[k]));
    mean = gather(parse);
    dgm_score_mean_logs(&mean, parse->step.pairs);
    return DGM_OK;
}

/* An arc that is not the root's may have any label but "root": their probabilities are those of
 * the others among each other. */
dgm_status dgm_parse_mates_mean_labels(struct dgm_env *env, struct dgm_parse *parse, int64_t words)
{
    const size_t rows = (size_t)parse->step.base.source.rows;
    struct dgm_score_mean mean;

    if (parse->mate_count == 0)
        return DGM_OK;
    for (int k = 0; k < parse->mate_count; k++) {
        memcpy(parse->mates[k]->latest.heads, parse->latest.heads,
               rows * sizeof *parse->latest.heads);
        DGM_TRY(dgm_parse_score_labels(env, parse->mates[k], words));
    }
    mean = gather_classes(parse, DGM_CLASSES_LABELS);
    dgm_score_mean_rows(&mean, words, parse->parser->labels, parse->root_label);
    return DGM_OK;
}
