/*
 * corpus.h: a parallel corpus in memory: encoded pairs, with trees where a file gives them.
 */
#ifndef DGM_DATA_CORPUS_H
#define DGM_DATA_CORPUS_H

#include "data/packed.h"
#include "data/text/pairs_reader.h"
#include "data/text/pipeline.h"
#include "data/tree/text_words.h"
#include "text/tokenize/looks.h"

/* What is known of one of the texts that a corpus was read from. */
struct dgm_text_part {
    int64_t lines, pairs; /* read; taken */
    uint64_t checksum;    /* of all lines of the corpus up to the last of this text */
};

/* Of one side: its tokens without marks of the end, and those that the vocabulary has not. */
struct dgm_token_counts {
    int64_t tokens, unknown;
};

struct dgm_augment;
struct dgm_resample;
struct dgm_slots;

struct dgm_corpus {
    struct dgm_packed source, target; /* pair p of both belong together */
    long *line_of;                    /* (source.count) from 0: the line each pair stands in */
    size_t line_capacity;
    int32_t *numbers; /* (source.count) of the pairs in the whole text; NULL: 0, 1, 2 .. */
    size_t number_capacity;
    int32_t parses;              /* of the pairs, the last ones: parse pairs (data/multitask.h) */
    long lines, used;            /* pairs read; of these, taken: source.count of a whole text */
    long blank, too_long, bad;   /* pairs left out, and why */
    long linked, unlinked;       /* of those with links: used, and left out (link_words.h) */
    struct dgm_text_part *parts; /* (part_count) of the texts, in their order */
    size_t part_count, part_capacity;
    uint64_t checksum;                 /* of all lines that were read */
    struct dgm_token_counts tokens[2]; /* of the pairs used, as far as they were read here */
    struct dgm_feature_counts counts;  /* of the source's trees, if a file has them */
    struct dgm_looks looks;            /* of the lines of both sides that were read here */
    struct dgm_laid_counts laid;       /* of those whose words were not those of their lines */
    struct dgm_augment *augment;   /* borrowed: changes the lines of batches; NULL: nothing does */
    struct dgm_resample *resample; /* borrowed: draws the pieces of batches; NULL: nothing does */
};

/* Sees the source of every pair that is used, and its line, in their order, when the corpus has it;
 * it may put the pairs elsewhere and empty both sides. An error of it ends the reading. */
struct dgm_corpus_watch {
    dgm_status (*pair)(struct dgm_env *env, void *user, const struct dgm_encoded *source,
                       const struct dgm_buf *line);
    void *user;
};

/* texts: at least one; needs: by side, the part of the model that asks for dependency trees, for
 * messages; NULL: brackets do as well. */
struct dgm_corpus_files {
    const struct dgm_text_list *texts;
    const char *needs[2];
    struct dgm_slots *slots; /* stand in the lines (data/text/slots.h); NULL: there are none */
};

/*
 * Reads texts one after the other and, of each side that has trees, a sentence of these for every
 * pair. Pairs with a blank side or more than max_length tokens are left out and counted. DGM_DATA
 * with file and line for ill-formed text, files of different length, trees that do not match, a
 * text without pairs. watch may be NULL.
 */
dgm_status dgm_corpus_load(struct dgm_env *env, struct dgm_corpus *corpus,
                           struct dgm_pipeline *pipeline, const struct dgm_corpus_files *files,
                           int32_t max_length, enum dgm_bad_line on_bad,
                           const struct dgm_corpus_watch *watch);
/* Of its lines and of the trees that its pairs have, wherever these come from. */
uint64_t dgm_corpus_checksum(const struct dgm_corpus *corpus);
/* Where a line of the corpus, from 0, stands: the number of its text, and from 1 its line there. */
size_t dgm_corpus_find_line(const struct dgm_corpus *corpus, long line, long *in_text);
/* Bytes of the pairs that it holds, without room for more. */
double dgm_corpus_bytes(const struct dgm_corpus *corpus);
/* Releases the pairs and keeps what was counted. */
void dgm_corpus_forget_pairs(struct dgm_env *env, struct dgm_corpus *corpus);
void dgm_corpus_clear(struct dgm_env *env, struct dgm_corpus *corpus);

#endif
