/*
 * parse_peers.h: the other parsers of an ensemble, beside the first one, which decides.
 *
 * All parse the same sentences, each in the numbers of its own lexicon, and the mean of what they
 * hold likely decides (parse_mates.h). All must know the same classes by name, in any order. The
 * scripts that a treebank has for the lemmas of its words are those of the first.
 */
#ifndef DGM_DECODE_PARSE_PARSE_PEERS_H
#define DGM_DECODE_PARSE_PARSE_PEERS_H

#include "data/tree/treebank.h"
#include "model/parser/parser.h"

/* Classes of words and arcs: columns of morphology.h, then these. */
enum { DGM_CLASSES_TAGS = DGM_MORPHS, DGM_CLASSES_LABELS, DGM_CLASSES };

struct dgm_parse_peer {
    struct dgm_parser *parser;       /* borrowed */
    const struct dgm_treebank *bank; /* borrowed: the sentences that are parsed */
    int32_t *order[DGM_CLASSES];     /* the first one's classes as its own numbers; NULL: they are
                                      * not wanted */
};

/*
 * Finds the classes of `first` in a parser, which is borrowed: its labels, its tags and, of the
 * columns that `first` has learned, those in `morphs`. DGM_MODEL, which names the file and the
 * class, where one of the two lacks a class of the other, and where it lacks a column. Zero-
 * initialise; clear in any case.
 */
dgm_status dgm_parse_peer_init(struct dgm_env *env, struct dgm_parse_peer *peer,
                               const struct dgm_parser *first, struct dgm_parser *parser,
                               unsigned morphs, const char *path);
void dgm_parse_peer_clear(struct dgm_env *env, struct dgm_parse_peer *peer);

#endif
