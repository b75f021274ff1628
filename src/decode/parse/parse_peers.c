/* parse_peers.c: the classes of other parsers of an ensemble among those of the first. */
#include "decode/parse/parse_peers.h"

#include <string.h>

#include "base/mem.h"

/* What a message calls a class. */
static const char *const titles[DGM_CLASSES] = { "XPOS", "FEATS", "lemma script", "UPOS",
                                                 "relation" };

/* A parser's classes of one kind. */
static const struct dgm_vocab *names_of(const struct dgm_parser *parser, int kind)
{
    return kind == DGM_CLASSES_LABELS ? &parser->lexicon.labels
           : kind == DGM_CLASSES_TAGS ? &parser->lexicon.tags
                                      : &parser->lexicon.morphs[kind];
}

/* Each name of `a` must be one of `b`; `numbers` (classes of a), unless NULL: which. The name that
 * is not; NULL: all are. */
static const char *find_all(const struct dgm_vocab *a, const struct dgm_vocab *b, int32_t *numbers)
{
    for (int32_t i = 0; i < dgm_lexicon_classes(a); i++) {
        const char *name = dgm_lexicon_class_name(a, i);
        int32_t number = dgm_lexicon_class(b, name);

        if (number < 0)
            return name;
        if (numbers != NULL)
            numbers[i] = number;
    }
    return NULL;
}

/* `which`: the parser whose name it is: 0, the first; 1, the other. */
static dgm_status refuse(struct dgm_env *env, const char *path, int kind, const char *name,
                         int which)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, name, strlen(name));
    return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                       "%s %s \"%s\", which the first parser %s; expected a parser of the same %s",
                       which == 0 ? "lacks" : "knows", titles[kind], quoted,
                       which == 0 ? "knows" : "lacks",
                       kind == DGM_CLASSES_LABELS ? "relations" : "classes");
}

static dgm_status map_classes(struct dgm_env *env, struct dgm_parse_peer *peer,
                              const struct dgm_parser *first, int kind, const char *path)
{
    const struct dgm_vocab *ours = names_of(first, kind), *theirs = names_of(peer->parser, kind);
    const char *missing;

    DGM_TRY(dgm_new(env, &peer->order[kind], (size_t)dgm_lexicon_classes(ours), sizeof(int32_t)));
    missing = find_all(ours, theirs, peer->order[kind]);
    if (missing != NULL)
        return refuse(env, path, kind, missing, 0);
    missing = find_all(theirs, ours, NULL);
    return missing != NULL ? refuse(env, path, kind, missing, 1) : DGM_OK;
}

dgm_status dgm_parse_peer_init(struct dgm_env *env, struct dgm_parse_peer *peer,
                               const struct dgm_parser *first, struct dgm_parser *parser,
                               unsigned morphs, const char *path)
{
    const unsigned lacking = morphs & dgm_parser_morphs(first) & ~dgm_parser_morphs(parser);

    peer->parser = parser;
    for (int m = 0; m < DGM_MORPHS; m++)
        if (lacking & 1u << m)
            return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                               "has not learned %s, which the first parser has; expected one of "
                               "train-parser --columns with it, or columns without it",
                               dgm_morph_titles[m]);
    DGM_TRY(map_classes(env, peer, first, DGM_CLASSES_LABELS, path));
    DGM_TRY(map_classes(env, peer, first, DGM_CLASSES_TAGS, path));
    for (int m = 0; m < DGM_MORPHS; m++)
        if (morphs & dgm_parser_morphs(first) & 1u << m)
            DGM_TRY(map_classes(env, peer, first, m, path));
    return DGM_OK;
}

void dgm_parse_peer_clear(struct dgm_env *env, struct dgm_parse_peer *peer)
{
    for (int kind = 0; kind < DGM_CLASSES; kind++)
        dgm_release(env, peer->order[kind]);
    memset(peer, 0, sizeof *peer);
}
