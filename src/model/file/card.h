/*
 * card.h: what a model file says of itself, by its head alone: what it is, between which languages
 * it translates, and whose it is.
 *
 * The languages of a translation model are those of its training; of one with tags such as <de> in
 * front of its sources, those of its tags: a tag names the language that is wanted or, where
 * translations begin with tags of their own (M2M-100), that of the line. Those of a parser stand in
 * general.languages, a key of the GGUF specification, as do its name and its licence
 * (general.name, general.license).
 */
#ifndef DGM_MODEL_FILE_CARD_H
#define DGM_MODEL_FILE_CARD_H

#include "base/buf.h"

/* A model may be several of these. */
enum { DGM_IS_TRANSLATION = 1, DGM_IS_PARSER = 2, DGM_IS_LANGID = 4 };

/* Zero-initialise; cleared in any case. Texts are ended by NUL. */
struct dgm_card {
    unsigned kinds;
    int64_t bytes;           /* of the file */
    struct dgm_buf from, to; /* codes of languages, blanks between; empty: not known */
    int is_tagged; /* one of the tags has to be chosen: <code> of a language of `to` ... */
    int tags_both; /* ... in front of the translation, and <code> of `from` of the line */
    struct dgm_buf name, license;
};

/* DGM_MODEL for a file that is no GGUF file, or a damaged one; kinds is 0 for one of others. */
dgm_status dgm_card_read(struct dgm_env *env, struct dgm_card *card, const char *path);
void dgm_card_clear(struct dgm_env *env, struct dgm_card *card);

#endif
