/*
 * other_parsers.h: the parsers of an ensemble behind the first one, and the sentences that wait, in
 * the numbers of each.
 */
#ifndef DGM_DECODE_ANNOTATE_OTHER_PARSERS_H
#define DGM_DECODE_ANNOTATE_OTHER_PARSERS_H

#include "decode/parse/parse_peers.h"

/* Zero-initialise; clear in any case. */
struct dgm_other_parsers {
    struct dgm_other_parser {
        struct dgm_parser parser;
        struct dgm_treebank bank;
    } * of;                       /* (count) */
    struct dgm_parse_peer *peers; /* (count), for dgm_parse_options */
    int count;
};

/* Loads the parsers of `count` files, alone or inside a translation model, which must have the
 * classes of the first one that are wanted (dgm_parse_peer_init). DGM_MODEL for a file without a
 * parser. */
dgm_status dgm_other_parsers_open(struct dgm_env *env, struct dgm_other_parsers *others,
                                  const struct dgm_parser *first, const char *const *paths,
                                  size_t count, struct dgm_device *device,
                                  enum dgm_compute_type type, unsigned morphs);
void dgm_other_parsers_clear(struct dgm_env *env, struct dgm_other_parsers *others);

/* Words of the longest sentence that all of them and the first one read. */
int64_t dgm_other_parsers_longest(const struct dgm_other_parsers *others,
                                  const struct dgm_parser *first);
/* Queues a sentence; forgets all. */
dgm_status dgm_other_parsers_add(struct dgm_env *env, struct dgm_other_parsers *others,
                                 const struct dgm_treebank_sentence *sentence);
void dgm_other_parsers_reset(struct dgm_other_parsers *others);

#endif
