/*
 * parser.h: the biaffine dependency parser of Dozat and Manning ("Deep Biaffine Attention for
 * Neural Dependency Parsing", ICLR 2017), with a tagger beside it.
 *
 * Rows are the words of all sentences, packed, with the artificial root before each sentence (N
 * rows in all). A row is the sum of what is known of its word (the whole form, its pieces read by
 * an LSTM in both directions, on request its tag, its vector of a table that was learned elsewhere,
 * and the treebank whose annotation it is to have), read in context by LSTMs in both directions or
 * by a Transformer. From its states X:
 *
 *     arcs    E_ij = (U d_i + u) . h_j         d = relu(W1 X), h = relu(W2 X)     equation 6
 *     labels  s_l = d'_i U_l h'_j + v_l d'_i + w_l h'_j + b_l, j the head of i    equation 3
 *     tags    W4 relu(W3 X)
 *
 * On request XPOS, FEATS and LEMMA are classified, too (morph_head.h). The loss of a word is the
 * sum of the cross-entropies of its head (over the rows of its sentence but its own), its label (of
 * the gold arc), its tag and, with a weight, of these columns.
 *
 * A parser of several treebanks has a vector for each of them (Stymne, de Lhoneux, Smith and Nivre,
 * "Parser Training with Heterogeneous Treebanks", ACL 2018), in every row of a sentence, the root's
 * included. The paper concatenates it with the word's; here it has the width of a row and is added,
 * as all is that is known of a word. An LSTM multiplies its input first, W [x; t] = W1 x + W2 t:
 * either way a treebank adds one vector of its own to what the words give, W2 t there, W t here. A
 * Transformer gets it as it gets its positions.
 */
#ifndef DGM_MODEL_PARSER_PARSER_H
#define DGM_MODEL_PARSER_PARSER_H

#include "data/tree/treebank.h"
#include "model/file/compute_type.h"
#include "model/net.h"
#include "model/parser/cutter.h"
#include "model/parser/morph_head.h"
#include "nn/schedule/sequences.h"

struct dgm_gguf;
struct dgm_gguf_writer;

enum dgm_reader { DGM_READER_LSTM, DGM_READER_TRANSFORMER };

struct dgm_parser_config {
    enum dgm_reader reader;
    enum dgm_piece_kind pieces;
    int tag_input;                  /* a word's row holds its tag too */
    int depth;                      /* layers of the reader */
    int64_t dim, lstm;              /* D of a row; H of an LSTM, each direction */
    int64_t piece, piece_lstm;      /* the same of pieces */
    int64_t arc, label, tag;        /* widths of d and h, d' and h', and the tagger */
    int64_t max_words;              /* of a sentence */
    int64_t cutter;                 /* width of what cuts running text; 0: nothing does */
    unsigned morphs, needed_morphs; /* columns to learn: where they are given; in any case */
    double morph_weight;            /* of their losses */
    double dropout, word_dropout, recurrent_dropout, cutter_dropout;
    struct dgm_model_config net; /* of the Transformer; depth 0 with LSTMs */
};

/* The option table: part of `train-parser`, and of every parser's model file. */
extern const struct dgm_opt dgm_parser_options[];

dgm_status dgm_parser_config_read(struct dgm_env *env, struct dgm_parser_config *config,
                                  const struct dgm_settings *settings);

struct dgm_lstm_params {
    struct dgm_dense input; /* (8H,in), (8H) */
    dgm_param_id recurrent; /* (8H,H) */
};

struct dgm_parser {
    struct dgm_parser_config config;
    struct dgm_settings settings; /* over dgm_parser_options */
    struct dgm_lexicon lexicon;
    struct dgm_net net;              /* holds all parameters; its table is that of words */
    int64_t labels, tags, treebanks; /* classes; treebanks 0: it tells none apart */
    dgm_param_id piece_table, tag_table;
    dgm_param_id treebank_table; /* (treebanks,D), if the lexicon has any */
    struct dgm_lstm_params piece_lstm, layers[DGM_MAX_LAYERS];
    struct dgm_dense vectors; /* (D, numbers of a pretrained vector), if the lexicon has any */
    struct dgm_dense piece_first, piece_last; /* (D,2H): of the LSTM's states at a form's ends */
    struct dgm_dense arc_dependent, arc_head, arc_form;
    struct dgm_dense label_dependent, label_head, label_form, label_of_dependent, label_of_head;
    struct dgm_dense tag_hidden, tag_output;
    struct dgm_morph_head morphs[DGM_MORPHS];
    struct dgm_cutter cutter; /* of running text, if the parser has one */
};

/*
 * A new parser from settings (any set that includes dgm_parser_options) and a learned lexicon,
 * which is taken over, also on failure. Parameters are declared, not yet allocated:
 * dgm_net_allocate(&parser->net), then dgm_params_initialise.
 */
dgm_status dgm_parser_make(struct dgm_env *env, struct dgm_parser *parser,
                           const struct dgm_settings *settings, struct dgm_lexicon *lexicon);
void dgm_parser_clear(struct dgm_env *env, struct dgm_parser *parser);
/* The columns that it has learned beside heads, relations and UPOS. */
unsigned dgm_parser_morphs(const struct dgm_parser *parser);

/* The same parser for another user, who computes on `device`: it shares parameters and lexicon of
 * `of`, which must outlive it and stay as they are. Operands of one device are those of both. */
void dgm_parser_beside(struct dgm_parser *parser, const struct dgm_parser *of,
                       struct dgm_device *device);
void dgm_parser_clear_beside(struct dgm_env *env, struct dgm_parser *parser);

/* ---- files: parser_file.c ------------------------------------------------------------------- */

/*
 * Keys: dragoman.parser.config (options as `key = value` lines), dragoman.parser.words, .pieces,
 * .tags, .labels (arrays of tokens), .codes (BPE of pieces, if any); of columns that were learned
 * .xpos, .feats (the same), .lemma (scripts of lemma_script.h), .lemmas (text of lemma_book.h);
 * where running text is cut, .characters, .multiwords (text of multiword.h) and .blanks; pretrained
 * vectors, where it has any (parser_vectors.h); .treebanks (tokens), the names of the treebanks
 * that it tells apart, if it does, in the order of training. All tensors' names begin with
 * "parser.". So a parser can live in the file of a translation model.
 */
#define DGM_PARSER_PREFIX "parser."

/* Reads a parser, alone or inside a translation model's file, onto a device, to parse with.
 * is_inside: of a translation model that was loaded just before; the rest of the file is not read
 * again. */
dgm_status dgm_parser_load(struct dgm_env *env, struct dgm_parser *parser, const char *path,
                           struct dgm_device *device, enum dgm_compute_type type, int is_inside);
/* The same from a container that is open already. */
dgm_status dgm_parser_from_gguf(struct dgm_env *env, struct dgm_parser *parser,
                                const struct dgm_gguf *file, struct dgm_device *device,
                                enum dgm_compute_type type, int is_inside);
/* The same in f32 with gradients, to train on; DGM_MODEL if the file holds fewer bits. */
dgm_status dgm_parser_resume(struct dgm_env *env, struct dgm_parser *parser,
                             const struct dgm_gguf *file, struct dgm_device *device);
/* The same without memory for parameters. */
dgm_status dgm_parser_declare(struct dgm_env *env, struct dgm_parser *parser,
                              const struct dgm_gguf *file);
/* Whether a file holds a parser. */
int dgm_parser_is_in(const struct dgm_gguf *file);
/* Adds keys and tensors to a writer; `values` as in dgm_params_save. */
dgm_status dgm_parser_save(struct dgm_env *env, const struct dgm_parser *parser,
                           struct dgm_gguf_writer *writer, dgm_real **values);

/* ---- one step ------------------------------------------------------------------------------- */

/* The index arrays of one packed batch on the device. */
struct dgm_parser_step {
    struct dgm_step base;   /* rows and the spans of sentences */
    struct dgm_packed rows; /* the batch on the host */
    struct dgm_sequence_slots sentences, forms;
    dgm_slot still;        /* places of dropout that is the same all over a sentence */
    dgm_slot tag_ids;      /* (N) with tag_input */
    dgm_slot treebank_ids; /* (N) where there are several */
    dgm_slot piece_ids, form_first, form_last, form_of_row;
    dgm_slot form_vectors; /* (form_count, numbers of a vector) */
    int64_t piece_rows, form_count;
    dgm_slot heads; /* (N) target columns, -1: not supervised */
    dgm_slot labelled, labelled_heads,
        label_targets;            /* (labels) rows, their heads' rows, classes */
    dgm_slot tagged, tag_targets; /* (tags) */
    dgm_slot morphed[DGM_MORPHS], morph_targets[DGM_MORPHS]; /* (morph_count) of each column */
    int64_t morph_count[DGM_MORPHS];
    int64_t arc_count, label_count, tag_count;
    int64_t pairs; /* T: elements of all n x n blocks */
    /* The text that the bank's sentences stand in, to learn from; borrowed; NULL: none. */
    const struct dgm_text_bank *text;
    struct dgm_cutter_step cuts;
    struct dgm_text_span *spans; /* of the batch's sentences */
    size_t span_capacity;
    int32_t *form_places, *form_list; /* which forms are in the batch, while staging */
    size_t form_capacity, list_capacity;
    int32_t *starts; /* of the batch's forms among its pieces */
    size_t start_capacity;
};

void dgm_parser_step_init(struct dgm_parser_step *step, struct dgm_device *device);
void dgm_parser_step_clear(struct dgm_env *env, struct dgm_parser_step *step);

/*
 * Stages sentences numbers[0..count-1] of a bank and sends them. In training, words are dropped
 * at random. tags: (rows of the batch) classes to be read instead of the bank's, or NULL.
 */
dgm_status dgm_parser_stage(struct dgm_env *env, const struct dgm_parser *parser,
                            struct dgm_parser_step *step, const struct dgm_treebank *bank,
                            const int32_t *numbers, int32_t count, const int32_t *tags,
                            int training, uint32_t seed, uint32_t update);

/* States of every row (N,X). */
struct dgm_node *dgm_parser_read(struct dgm_graph *g, const struct dgm_parser *parser,
                                 const struct dgm_parser_step *step);

/* The losses of a training step: values (N,1), (labels,2), (tags,2), of columns (words,2), and, of
 * the text, of (characters,2); NULL where nothing is given. */
struct dgm_parser_losses {
    struct dgm_node *arcs, *labels, *tags, *morphs[DGM_MORPHS], *cuts;
};
void dgm_parser_loss(struct dgm_graph *g, const struct dgm_parser *parser,
                     const struct dgm_parser_step *step, struct dgm_parser_losses *losses);

/* What decoding needs, kept after the run: arc scores (T,1), d' and h' (N,R), tag scores
 * (N,tags), scores of columns (N,classes) or NULL. */
struct dgm_parser_scores {
    struct dgm_node *arcs, *label_dependent, *label_head, *tags, *morphs[DGM_MORPHS];
};
/* morphs: the columns that are asked for; those that were learned are scored. */
void dgm_parser_score(struct dgm_graph *g, const struct dgm_parser *parser,
                      const struct dgm_parser_step *step, unsigned morphs,
                      struct dgm_parser_scores *scores);
/* Scores of all labels of given arcs (M,labels) from d' and h' of dependents and heads (M,R). */
struct dgm_node *dgm_parser_label_scores(struct dgm_graph *g, const struct dgm_parser *parser,
                                         struct dgm_node *dependents, struct dgm_node *heads);

#endif
