/* other_parsers.c: the parsers of an ensemble behind the first one. */
#include "decode/annotate/other_parsers.h"

#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_load.h"

static dgm_status read_file(struct dgm_env *env, struct dgm_parser *parser,
                            const struct dgm_gguf *file, struct dgm_device *device,
                            enum dgm_compute_type type)
{
    DGM_TRY(dgm_gguf_verify(env, file, NULL));
    if (!dgm_parser_is_in(file))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "no parser inside; expected a parser, or a translation model of train "
                           "--parser: attention heads do not parse together with others");
    return dgm_parser_from_gguf(env, parser, file, device, type, 0);
}

static dgm_status load(struct dgm_env *env, struct dgm_parser *parser, const char *path,
                       struct dgm_device *device, enum dgm_compute_type type)
{
    struct dgm_gguf file = { 0 };
    dgm_status status;

    DGM_TRY(dgm_gguf_open(env, &file, path));
    status = read_file(env, parser, &file, device, type);
    dgm_gguf_clear(env, &file);
    return status;
}

dgm_status dgm_other_parsers_open(struct dgm_env *env, struct dgm_other_parsers *others,
                                  const struct dgm_parser *first, const char *const *paths,
                                  size_t count, struct dgm_device *device,
                                  enum dgm_compute_type type, unsigned morphs)
{
    DGM_TRY(dgm_new(env, &others->of, count, sizeof *others->of));
    DGM_TRY(dgm_new(env, &others->peers, count, sizeof *others->peers));
    for (size_t i = 0; i < count; i++) {
        struct dgm_other_parser *other = &others->of[others->count];
        struct dgm_parse_peer *peer = &others->peers[others->count++];

        DGM_TRY(load(env, &other->parser, paths[i], device, type));
        DGM_TRY(dgm_parse_peer_init(env, peer, first, &other->parser, morphs, paths[i]));
        peer->bank = &other->bank;
    }
    return DGM_OK;
}

void dgm_other_parsers_clear(struct dgm_env *env, struct dgm_other_parsers *others)
{
    for (int i = 0; i < others->count; i++) {
        dgm_parse_peer_clear(env, &others->peers[i]);
        dgm_treebank_clear(env, &others->of[i].bank);
        dgm_parser_clear(env, &others->of[i].parser);
    }
    dgm_release(env, others->of);
    dgm_release(env, others->peers);
    memset(others, 0, sizeof *others);
}

int64_t dgm_other_parsers_longest(const struct dgm_other_parsers *others,
                                  const struct dgm_parser *first)
{
    int64_t most = first->config.max_words;

    for (int i = 0; i < others->count; i++)
        if (others->of[i].parser.config.max_words < most)
            most = others->of[i].parser.config.max_words;
    return most;
}

dgm_status dgm_other_parsers_add(struct dgm_env *env, struct dgm_other_parsers *others,
                                 const struct dgm_treebank_sentence *sentence)
{
    for (int i = 0; i < others->count; i++)
        DGM_TRY(
            dgm_treebank_add(env, &others->of[i].bank, &others->of[i].parser.lexicon, sentence));
    return DGM_OK;
}

void dgm_other_parsers_reset(struct dgm_other_parsers *others)
{
    for (int i = 0; i < others->count; i++)
        dgm_treebank_reset(&others->of[i].bank);
}
