/*
 * learn.h: a SentencePiece model from text.
 *
 * Kudo: "Subword Regularization" (ACL 2018), section 3.2, for unigram models; Sennrich, Haddow,
 * Birch (ACL 2016) for BPE. Text is rewritten as the model will rewrite it, and cut where no piece
 * goes on: at blanks, at symbols of the user, and between scripts (kana and Han count as one). What
 * is between, a stretch, is kept once, with its count: learning reads counts alone, so that the
 * same text gives the same bytes, in whatever order its lines come.
 */
#ifndef DGM_TEXT_SPM_LEARN_LEARN_H
#define DGM_TEXT_SPM_LEARN_LEARN_H

#include "base/buf.h"
#include "base/map.h"
#include "text/spm/spm.h"
#include "text/spm_learn/charsmap_build.h"

enum { DGM_SPM_LONGEST_PIECE = 16 }; /* characters */

struct dgm_spm_learn_options {
    enum dgm_spm_kind kind;
    enum dgm_spm_normal normal;
    size_t pieces;       /* with <unk>, <s>, </s>, symbols and bytes */
    double coverage;     /* of all characters of the text: the share that becomes pieces */
    size_t few;          /* characters: a text of no more has all of them as pieces */
    size_t seeds;        /* unigram: pieces to begin with */
    size_t longest_line; /* bytes; longer ones are passed over */
    int byte_fallback;
    int may_be_fewer;           /* pieces than asked for: no warning */
    const char *const *symbols; /* borrowed: never cut */
    size_t symbol_count;
};

/* A piece of a new model. */
struct dgm_spm_learned {
    size_t text, bytes; /* in the text of the set */
    double score;
};

struct dgm_spm_learned_set {
    struct dgm_buf text;
    struct dgm_spm_learned *items;
    size_t count, capacity;
};

/* Text on its way to a model. */
struct dgm_spm_learner {
    struct dgm_spm_learn_options options;
    struct dgm_buf charsmap; /* its bytes, which rules.charsmap is a view of */
    struct dgm_spm_rules rules;
    struct dgm_trie symbols;
    struct dgm_map stretches;  /* with their counts; words and all, where words are pieces */
    struct dgm_map characters; /* the same */
    struct dgm_buf line;       /* scratch */
    int64_t lines, too_long;
};

/* The options that the program has where nothing is said. */
void dgm_spm_learn_defaults(struct dgm_spm_learn_options *options);
/* Kind and rules by their names; DGM_USAGE for others. */
dgm_status dgm_spm_learn_choose(struct dgm_env *env, struct dgm_spm_learn_options *options,
                                const char *kind, const char *normal);
/* A zeroed learner. DGM_USAGE for symbols that are empty, given twice, no UTF-8, or have a NUL, an
 * end of line or a name that the model needs itself. */
dgm_status dgm_spm_learner_init(struct dgm_env *env, struct dgm_spm_learner *learner,
                                const struct dgm_spm_learn_options *options);
void dgm_spm_learner_clear(struct dgm_env *env, struct dgm_spm_learner *learner);
dgm_status dgm_spm_learner_line(struct dgm_env *env, struct dgm_spm_learner *learner,
                                const char *line, size_t bytes);
/* All lines were read: appends the bytes of the model. A warning where there are fewer pieces than
 * were asked for. DGM_USAGE where there is no room for all characters; DGM_DATA for no text. */
dgm_status dgm_spm_learner_finish(struct dgm_env *env, struct dgm_spm_learner *learner,
                                  struct dgm_buf *out);

/* ---- for the kinds of models ---------------------------------------------------------------- */

/* What pieces are learned from. */
struct dgm_spm_learn_input {
    const struct dgm_map *stretches;  /* of characters that become pieces alone */
    const struct dgm_map *characters; /* all that become pieces, the most frequent first */
    size_t pieces;                    /* to be learned, characters included */
    size_t seeds;
};

/* Fill a set, in the order that the model will have: unigram.c, merges.c. */
dgm_status dgm_spm_learn_unigram(struct dgm_env *env, const struct dgm_spm_learn_input *input,
                                 struct dgm_spm_learned_set *set);
dgm_status dgm_spm_learn_merges(struct dgm_env *env, const struct dgm_spm_learn_input *input,
                                struct dgm_spm_learned_set *set);
dgm_status dgm_spm_learned_add(struct dgm_env *env, struct dgm_spm_learned_set *set,
                               const char *text, size_t bytes, double score);
void dgm_spm_learned_clear(struct dgm_env *env, struct dgm_spm_learned_set *set);

#endif
