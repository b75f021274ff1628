/*
 * shortlist.h: for each source type the target types that a translation of it may use.
 *
 * The output layer of a search is then computed for few words: those that are always allowed, and
 * those of the source types of a sentence. What a sentence may use depends on the sentence alone,
 * never on others of its batch. The idea, and the usual numbers (100 and 100), are those of Jean et
 * al. (On using very large target vocabulary for neural machine translation, 2015) and of Marian.
 */
#ifndef DGM_DATA_SHORTLIST_SHORTLIST_H
#define DGM_DATA_SHORTLIST_SHORTLIST_H

#include "data/packed.h"
#include "text/bpe/vocab.h"

/* Zero-initialise; cleared in any case. */
struct dgm_shortlist {
    int32_t types[2];      /* of source and target */
    uint64_t signature[2]; /* of their vocabularies (text/bpe/vocab.h) */
    int32_t always_count;
    int32_t *always; /* target types of every sentence, ascending; the specials are the first */
    size_t *starts;  /* (types[DGM_SOURCE] + 1) */
    int32_t *words;  /* of source type e: words[starts[e]] .. words[starts[e + 1] - 1], ascending */
    /* What a sentence may use is filled up to rest, rest + multiple and so on, by target types from
     * fill_from on: as in Marian, whose products want it so. multiple 0: it is not. */
    int32_t multiple, rest, fill_from;
};

/* DGM_MODEL if the list in file `path` was made for other vocabularies. */
dgm_status dgm_shortlist_check(struct dgm_env *env, const struct dgm_shortlist *shortlist,
                               const char *path, const struct dgm_vocab *source,
                               const struct dgm_vocab *target);
void dgm_shortlist_clear(struct dgm_env *env, struct dgm_shortlist *shortlist);

/*
 * What the sentences of a batch may use. They are cut into groups of sentences that stand together;
 * scores are computed for all types of a group at once. Groups decide the speed alone, and memory:
 * they are enlarged until all together have at most dgm_shortlist_room types.
 * Zero-initialise, choose any number of times, clear.
 */
struct dgm_shortlist_choice {
    int32_t sentences, size; /* of the batch, of each group but the last */
    int32_t groups;
    int32_t *starts; /* (groups + 1) group g: ids[starts[g]] .. ids[starts[g + 1] - 1] */
    int32_t *ids;    /* target types that any sentence of a group may use, ascending */
    int64_t room;    /* dgm_shortlist_room: no batch has more ids */
    int32_t largest; /* of the groups: their number */
    int64_t width;   /* of a list: the longest one's, or more */
    int32_t *lists;  /* (sentences,width) places in the ids of its group, ascending; -1 fills up */
    uint64_t *all;   /* a bit for each target type: of the group at hand ... */
    uint64_t *own;   /* ... and of the sentence at hand */
    int32_t *places; /* (target types) in the ids of the group at hand */
    size_t start_capacity, id_capacity, list_capacity, type_capacity;
};

/* Target types that the groups of a batch have at most, one in several groups counted in each. */
int64_t dgm_shortlist_room(const struct dgm_shortlist *shortlist);
/* Groups of `size` sentences, or of more where there is no room for that many groups; lists have
 * `least` places at least. As the specials begin every list, each has its own number for a place
 * there. */
dgm_status dgm_shortlist_choose(struct dgm_env *env, struct dgm_shortlist_choice *choice,
                                const struct dgm_shortlist *shortlist,
                                const struct dgm_packed *source, int32_t size, int64_t least);
/* The target type at a place of a sentence's list; -1: none. */
static inline int32_t dgm_shortlist_type(const struct dgm_shortlist_choice *choice, int32_t s,
                                         int32_t place)
{
    const int32_t at = place < 0 ? -1 : choice->lists[s * choice->width + place];

    return at < 0 ? -1 : choice->ids[choice->starts[s / choice->size] + at];
}
/* The most target types that sentence s may use. */
int64_t dgm_shortlist_most(const struct dgm_shortlist *shortlist, const struct dgm_packed *source,
                           int32_t s);
void dgm_shortlist_choice_clear(struct dgm_env *env, struct dgm_shortlist_choice *choice);

#endif
