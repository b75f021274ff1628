/*
 * cut_text.h: from running text to tokens and sentences, by a parser that learned it.
 *
 * A token ends where the network says so, before white space (unless the treebank has tokens with
 * blanks inside, and the white space holds no end of a line), and with its paragraph; so does a
 * sentence at the end of its paragraph. Paragraphs depend on nothing but their own text, and on no
 * division of the work.
 */
#ifndef DGM_DECODE_PARSE_CUT_TEXT_H
#define DGM_DECODE_PARSE_CUT_TEXT_H

#include "decode/lost_scores.h"
#include "model/parser/parser.h"

/* Bytes start..end-1 of the text. */
struct dgm_cut_token {
    uint32_t start, end;
    int is_multiword, ends_sentence, ends_paragraph;
};

/* Zeroed before init; cleared in any case. */
struct dgm_cut_text {
    const struct dgm_parser *parser;
    struct dgm_input_lines lines; /* for messages: what a paragraph is; set by the caller */
    struct dgm_graph graph;
    struct dgm_feed feed;
    struct dgm_cutter_step step;
    struct dgm_characters rows;
    uint32_t *ends;        /* (paragraphs) rows before the end of each */
    unsigned char *labels; /* (rows) enum dgm_cut_label; the best but "nothing" in the upper half */
    struct dgm_text_span *spans; /* of one step */
    dgm_real *scores;
    size_t paragraphs, end_capacity, label_capacity, span_capacity, score_capacity;
    struct dgm_cut_token *tokens; /* results */
    size_t count, capacity;
};

/* DGM_MODEL if the parser does not cut text. */
dgm_status dgm_cut_text_init(struct dgm_env *env, struct dgm_cut_text *cut,
                             const struct dgm_parser *parser, struct dgm_device *device);
void dgm_cut_text_clear(struct dgm_env *env, struct dgm_cut_text *cut);

/* Cuts `count` paragraphs, text[ends[p-1]..ends[p]) each, of less than 1 GiB together: cut->tokens
 * holds their cut->count tokens, none of a paragraph of white space. */
dgm_status dgm_cut_text_run(struct dgm_env *env, struct dgm_cut_text *cut, const char *text,
                            const size_t *ends, size_t count);

#endif
