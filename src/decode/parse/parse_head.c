/*
 * parse_head.c: weights between pieces to scores between words to a tree.
 */
#include "decode/parse/parse_head.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/spanning/projective.h"

dgm_status dgm_parse_head_init(struct dgm_env *env, struct dgm_parse_head *parse,
                               const struct dgm_net *net, struct dgm_device *device, int projective)
{
    memset(parse, 0, sizeof *parse);
    if (!dgm_net_parser_head(net, &parse->layer, &parse->which))
        return dgm_fail(env, DGM_MODEL,
                        "no head of the encoder is a parser; expected a model that "
                        "was trained with --syntax lisa or dbsa");
    parse->projective = projective;
    DGM_TRY(dgm_attention_reader_init(env, &parse->reader, net, device));
    parse->reader.watch.layers[DGM_ATTENTION_ENCODER] = (uint64_t)1 << (parse->layer - 1);
    return DGM_OK;
}

void dgm_parse_head_clear(struct dgm_env *env, struct dgm_parse_head *parse)
{
    dgm_attention_reader_clear(env, &parse->reader);
    dgm_spanning_work_clear(env, &parse->work);
    dgm_release(env, parse->scores);
    dgm_release(env, parse->places);
    memset(parse, 0, sizeof *parse);
}

/* The position that stands for each word. */
static dgm_status find_places(struct dgm_env *env, struct dgm_parse_head *parse,
                              const struct dgm_packed *source, int32_t s)
{
    const int32_t *words = source->words + source->offsets[s];
    int32_t n = dgm_packed_length(source, s), i;
    int32_t count = source->word_offsets[s + 1] - source->word_offsets[s];

    DGM_TRY(dgm_reserve(env, &parse->places, &parse->place_capacity, (size_t)count + 1,
                        sizeof *parse->places));
    /* Backwards, so that of the pieces of a word the first is written last. */
    for (i = n - 1; i >= 0; i--) {
        int is_last = i + 1 == n || words[i + 1] != words[i];
        if (words[i] >= 0 && (!parse->which.last_piece || is_last))
            parse->places[words[i]] = i;
    }
    return DGM_OK;
}

/* log A of the rows and columns that stand for words; what looks at itself is a root. */
static dgm_status score_arcs(struct dgm_env *env, struct dgm_parse_head *parse,
                             const struct dgm_attention_weights *weights, int32_t count)
{
    size_t side = (size_t)count + 1;
    int32_t d, h;

    DGM_TRY(dgm_reserve(env, &parse->scores, &parse->score_capacity, side * side,
                        sizeof *parse->scores));
    for (d = 0; d < count; d++) {
        const dgm_real *row =
            weights->values + parse->places[d] * weights->ld + parse->which.head * weights->step;
        dgm_real *scores = parse->scores + ((size_t)d + 1) * side;
        for (h = 0; h < count; h++)
            scores[h + 1] = (dgm_real)log((double)row[parse->places[h]]);
        /* The head gives a root's weight to the word itself; the tree search wants it in column 0 and
         * does not read the diagonal. */
        scores[0] = scores[d + 1];
    }
    return DGM_OK;
}

dgm_status dgm_parse_head_run(struct dgm_env *env, struct dgm_parse_head *parse,
                              const struct dgm_packed *source, int32_t s, int32_t *heads,
                              double *prob)
{
    int32_t count = source->word_offsets[s + 1] - source->word_offsets[s], w;
    struct dgm_attention_weights weights;

    DGM_TRY(find_places(env, parse, source, s));
    DGM_TRY(dgm_attention_reader_look(env, &parse->reader, source, s, NULL, 0));
    DGM_TRY(dgm_attention_reader_read(env, &parse->reader, DGM_ATTENTION_ENCODER, parse->layer,
                                      &weights));
    DGM_TRY(score_arcs(env, parse, &weights, count));
    DGM_TRY((parse->projective ? dgm_projective_tree : dgm_spanning_tree)(env, heads, parse->scores,
                                                                          count, &parse->work));
    for (w = 0; w < count && prob != NULL; w++)
        prob[w] =
            exp((double)parse->scores[((size_t)w + 1) * ((size_t)count + 1) + (size_t)heads[w]]);
    return DGM_OK;
}
