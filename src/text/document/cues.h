/*
 * cues.h: what the formats of subtitles share: lines of text under a line of times.
 *
 * The lines of a cue are one segment, unless one begins with a dash, as what another person says
 * does, and a translation has as many lines again. What is not under a line of times is no text.
 */
#ifndef DGM_TEXT_DOCUMENT_CUES_H
#define DGM_TEXT_DOCUMENT_CUES_H

#include "text/document/maker.h"
#include "text/document/tagged.h"

/* What differs. */
struct dgm_cue_kind {
    int ends_at_blank; /* a blank line ends a cue, and what follows is no text; else the next times
                        * do */
    /* Adds the piece of a line that begins at byte `at`, and says how long it is: markup, or an
     * escape; 0: it is text as it is. *speaks: another person does from there on. */
    dgm_status (*read)(struct dgm_env *env, struct dgm_maker *maker,
                       const struct dgm_document_parts *document, size_t at, size_t end,
                       size_t *bytes);
    int (*speaks)(const char *line, size_t bytes); /* whether another person does from here on */
    dgm_spell_fn *spell;                           /* of text without line ends */
};

dgm_status dgm_cues_read(struct dgm_env *env, struct dgm_document_parts *document,
                         const struct dgm_cue_kind *kind);
dgm_status dgm_cues_write(struct dgm_env *env, const struct dgm_document_parts *document,
                          const struct dgm_said *said, dgm_spell_fn *spell, struct dgm_buf *out);

#endif
