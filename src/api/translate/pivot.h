/*
 * pivot.h: translations that are translated further, as German into English and that into French.
 *
 * The n best translations of a line go on; of all that becomes of them, the best sums of scores are
 * the line's translations.
 */
#ifndef DGM_API_TRANSLATE_PIVOT_H
#define DGM_API_TRANSLATE_PIVOT_H

#include "api/context.h"

struct dgm_pivot;

/* DGM_USAGE for options that do not go with options->then, where that is not NULL; before any file
 * is read. */
dgm_status dgm_pivot_check(struct dgm_env *env, const dgm_translator_options *options);
/* Its second translator is made with options->then; `first` is told of progress. */
dgm_status dgm_pivot_new(dgm_context *context, const dgm_translator_options *options,
                         dgm_translator *first, struct dgm_pivot **pivot);
void dgm_pivot_free(struct dgm_env *env, struct dgm_pivot *pivot);

/* Translates what `first` has made of *lines lines; *lines becomes how many have results. */
dgm_status dgm_pivot_run(struct dgm_env *env, struct dgm_pivot *pivot, size_t *lines);
dgm_status dgm_pivot_finish(struct dgm_pivot *pivot);

/* Of a line that was run: as dgm_translator_count and dgm_translator_result. */
dgm_status dgm_pivot_count(struct dgm_env *env, struct dgm_pivot *pivot, size_t line,
                           size_t *count);
dgm_status dgm_pivot_result(struct dgm_env *env, struct dgm_pivot *pivot, size_t line, size_t rank,
                            const char **text, size_t *bytes, double *score, double *logp);

/* As dgm_translator_alignment: a word of the source is linked to a word of the translation where
 * some word in the middle is linked to both. */
dgm_status dgm_pivot_alignment(struct dgm_env *env, struct dgm_pivot *pivot, size_t line,
                               const char **links, size_t *bytes);
dgm_translator *dgm_pivot_second(const struct dgm_pivot *pivot);

/* ---- of the first translator (translator.c) ------------------------------------------------- */

/* Its own results of a line, which its users do not see. */
dgm_status dgm_translator_own_count(dgm_translator *translator, size_t line, size_t *count);
dgm_status dgm_translator_own_result(dgm_translator *translator, size_t line, size_t rank,
                                     const char **text, size_t *bytes, double *score, double *logp);
dgm_status dgm_translator_own_alignment(dgm_translator *translator, size_t line, const char **links,
                                        size_t *bytes);
/* Whether its words, on both sides, are what stands between blanks: pieces of SentencePiece are of
 * these. */
int dgm_translator_has_plain_words(const dgm_translator *translator);
/* A dgm_progress_fn: that of the second one is the second half of what `user`, the first, tells. */
void dgm_translator_tell_second(void *user, int64_t done, int64_t total, const char *text);

#endif
