/*
 * charsmap_build.h: the rules of Unicode's normal form NFKC in the format of SentencePiece models,
 * which text/spm/charsmap.h reads.
 *
 * A rule has one character, or what composes to one: a letter and its marks in canonical order,
 * kana of full or half width and their voiced marks, Hangul letters. A text with marks in another
 * order, or behind letters that are compatible only (mathematical ones), is not composed: no finite
 * list of replacements is all of NFKC, and the library's is none, either.
 */
#ifndef DGM_TEXT_SPM_LEARN_CHARSMAP_BUILD_H
#define DGM_TEXT_SPM_LEARN_CHARSMAP_BUILD_H

#include "base/buf.h"

enum dgm_spm_normal {
    DGM_SPM_IDENTITY, /* no rules */
    DGM_SPM_NFKC,
    DGM_SPM_NMT_NFKC /* and blanks of all kinds as one, control characters left out */
};

/* "nmt_nfkc" and so on, the names of the library. */
const char *dgm_spm_normal_name(enum dgm_spm_normal normal);
/* Appends the rules; nothing for DGM_SPM_IDENTITY. */
dgm_status dgm_charsmap_build(struct dgm_env *env, struct dgm_buf *out, enum dgm_spm_normal normal);

#endif
