/*
 * captions.h: the texts of a picture of a tree: of each word its form, tag and label, cleaned.
 *
 * Nothing here can steer a terminal or break a line: controls, bidirectional overrides and
 * ill-formed bytes become U+FFFD, and overlong texts are cut, with an ellipsis.
 */
#ifndef DGM_DRAW_TREE_CAPTIONS_H
#define DGM_DRAW_TREE_CAPTIONS_H

#include "base/buf.h"
#include "base/env.h"
#include "syntax/conllu/conllu.h"

enum dgm_caption { DGM_CAPTION_FORM, DGM_CAPTION_TAG, DGM_CAPTION_LABEL, DGM_CAPTION_KINDS };

/* The most columns that each kind of text keeps. */
#define DGM_CAPTION_MOST_FORM 80
#define DGM_CAPTION_MOST_TAG 20
#define DGM_CAPTION_MOST_LABEL 40

/* Zero-initialise; fill any number of times; clear. */
struct dgm_captions {
    int32_t count; /* words */
    struct dgm_buf bytes;
    size_t *start;          /* (count, DGM_CAPTION_KINDS) of each text in bytes; NUL ends it */
    int32_t *columns;       /* (count, DGM_CAPTION_KINDS) display width */
    unsigned char *differs; /* (count) head or label is not that of the other tree */
    int32_t differences;    /* how many of them */
    size_t start_capacity, column_capacity, differ_capacity;
};

struct dgm_caption_options {
    int tags;                                /* else tags are empty; UPOS, or XPOS without */
    const struct dgm_conllu_sentence *other; /* of the same words; or NULL */
    const char *mark;                        /* behind a label that differs */
    const char *ellipsis;                    /* one column */
};

dgm_status dgm_captions_fill(struct dgm_env *env, struct dgm_captions *captions,
                             const struct dgm_conllu_sentence *sentence,
                             const struct dgm_caption_options *options);
/* `count` words without any text: for arcs whose words are written elsewhere. */
dgm_status dgm_captions_blank(struct dgm_env *env, struct dgm_captions *captions, int32_t count);
void dgm_captions_clear(struct dgm_env *env, struct dgm_captions *captions);

const char *dgm_caption(const struct dgm_captions *captions, int32_t word, enum dgm_caption kind);
int32_t dgm_caption_columns(const struct dgm_captions *captions, int32_t word,
                            enum dgm_caption kind);

/* Appends text, cleaned and cut to `most` columns; *columns (may be NULL) is what it takes. */
dgm_status dgm_caption_add(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes,
                           int32_t most, const char *ellipsis, int32_t *columns);

/* Appends the sentence as text: the comment `# text`, or else the forms with blanks between. */
dgm_status dgm_caption_sentence(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_conllu_sentence *sentence, int32_t most,
                                const char *ellipsis);

#endif
