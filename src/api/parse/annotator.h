/*
 * annotator.h: what a public annotator holds, and how its options become that.
 */
#ifndef DGM_API_PARSE_ANNOTATOR_H
#define DGM_API_PARSE_ANNOTATOR_H

#include "api/context.h"
#include "decode/annotate/sentence_window.h"

struct dgm_annotator {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_sentence_window window;
    struct dgm_buf shown; /* what dgm_annotator_line gives of trees in forms other than CoNLL-U */
};

/* ---- annotator_options.c -------------------------------------------------------------------- */

/* Opens the parsers, and sets what is wanted of them; DGM_USAGE for options that contradict one
 * another, or what the parsers can. */
dgm_status dgm_annotator_open(struct dgm_annotator *annotator, const dgm_annotator_options *chosen);

#endif
