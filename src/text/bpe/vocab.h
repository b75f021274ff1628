/*
 * vocab.h: vocabularies: tokens to numbers and back.
 *
 * The first four numbers are fixed, in fairseq's order: 0 <s>, 1 <pad>, 2 </s>, 3
 * <unk>. In text form (fairseq's dict.txt) they are not written: a line is `token
 * count`, and the line decides the number. A token of the user's text that is spelled
 * like a special one is unknown: text can never become a control symbol.
 */
#ifndef DGM_TEXT_BPE_VOCAB_H
#define DGM_TEXT_BPE_VOCAB_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"

enum { DGM_VOCAB_BOS, DGM_VOCAB_PAD, DGM_VOCAB_EOS, DGM_VOCAB_UNK, DGM_VOCAB_SPECIALS };

#define DGM_VOCAB_LIMIT ((size_t)1 << 22) /* most entries */
#define DGM_VOCAB_TOKEN_LIMIT 65535       /* most bytes of a token */

/* Zeroed is valid and empty; a loaded or built vocabulary holds at least the specials. */
struct dgm_vocab {
    struct dgm_map map; /* number = place of insertion; value = count */
};

/*
 * From counts (word_counts.h): the most frequent tokens first, equal ones in the order of
 * their bytes; none rarer than min_count, at most `size` entries with the specials (0:
 * no limit). Tokens spelled like specials are left out, and, with a warning that counts
 * them, those longer than DGM_VOCAB_TOKEN_LIMIT.
 */
dgm_status dgm_vocab_build(struct dgm_env *env, struct dgm_vocab *vocab,
                           const struct dgm_map *counts, size_t size, int64_t min_count);
/* The same with `marks` (or NULL) first, in the same order: entries that are there however rare
 * they are and whatever the size. */
dgm_status dgm_vocab_build_marked(struct dgm_env *env, struct dgm_vocab *vocab,
                                  const struct dgm_map *marks, const struct dgm_map *counts,
                                  size_t size, int64_t min_count);

/*
 * Reads the text form. DGM_DATA with file and line: a token that is empty, holds a
 * blank or a tab or is given twice (both lines are named), a count that is no whole
 * number, ill-formed UTF-8, too many entries. A line may end in " #fairseq:overwrite",
 * which lets it repeat a token.
 */
dgm_status dgm_vocab_load(struct dgm_env *env, struct dgm_vocab *vocab, const char *path);
dgm_status dgm_vocab_parse(struct dgm_env *env, struct dgm_vocab *vocab, const char *text,
                           size_t bytes, const char *name);

/* Appends the text form. */
dgm_status dgm_vocab_print(struct dgm_env *env, struct dgm_buf *out, const struct dgm_vocab *vocab);

/*
 * From the tokens of a model file, specials included and in their places. DGM_MODEL
 * with `name`: a special token is missing, a token is empty or given twice.
 */
dgm_status dgm_vocab_set(struct dgm_env *env, struct dgm_vocab *vocab, const char *const *tokens,
                         const size_t *bytes, size_t count, const char *name);

/* Puts a token behind the others, with a count of 0, unless it is there: *is_new. DGM_DATA beyond
 * DGM_VOCAB_LIMIT entries. */
dgm_status dgm_vocab_append(struct dgm_env *env, struct dgm_vocab *vocab, const char *token,
                            size_t bytes, int *is_new);

size_t dgm_vocab_size(const struct dgm_vocab *vocab);
/* XXH64 of its tokens in their order, each with a LF behind it. */
uint64_t dgm_vocab_signature(const struct dgm_vocab *vocab);
/* Whether both have the same tokens with the same numbers; counts do not matter. */
int dgm_vocab_same(const struct dgm_vocab *a, const struct dgm_vocab *b);

/*
 * The number of a token of text: DGM_VOCAB_UNK for what is not there, and for specials.
 */
uint32_t dgm_vocab_find(const struct dgm_vocab *vocab, const char *token, size_t bytes);

/*
 * The token of a number below the size, followed by a NUL; borrowed. *bytes may be
 * NULL.
 */
const char *dgm_vocab_token(const struct dgm_vocab *vocab, uint32_t number, size_t *bytes);

void dgm_vocab_clear(struct dgm_env *env, struct dgm_vocab *vocab);

#endif
