/*
 * sentence_parser.h: parses sentences of words, by a parser or by an attention head that is one.
 *
 * A file holds a parser, or a translation model. A translation model may have a parser inside, or
 * heads of its encoder or decoder may have been trained to parse. In every case words go in, and
 * trees, tags and labels come out. The decoder's head parses translations, beside their sources.
 *
 * Several files hold parsers that parse together: the first cuts text, and names classes.
 */
#ifndef DGM_DECODE_ANNOTATE_SENTENCE_PARSER_H
#define DGM_DECODE_ANNOTATE_SENTENCE_PARSER_H

#include "data/text/unknown.h"
#include "decode/annotate/other_parsers.h"
#include "decode/parse/cut_text.h"
#include "decode/parse/parse.h"
#include "decode/parse/parse_head.h"
#include "decode/parse/parse_parts.h"
#include "model/file/model.h"
#include "text/lemma/lemma_script.h"

/* Zero-initialise it; it is cleared in any case. */
struct dgm_sentence_parser {
    struct dgm_env *env;
    struct dgm_parse_options options;
    /* A parser, and the sentences that it is to parse: */
    struct dgm_parser parser;
    struct dgm_parse parse;
    struct dgm_treebank bank;
    struct dgm_parse_parts parts;    /* of sentences that are longer than it reads */
    struct dgm_cut_text cut;         /* where it is to cut text */
    struct dgm_other_parsers others; /* of an ensemble */
    /* Or, with has_head, a translation model, its head, and the pieces of these sentences and, for
     * the decoder's head, of their sources: */
    int has_head;
    struct dgm_model model;
    struct dgm_parse_head head;
    struct dgm_encoded encoded[2]; /* one sentence, by side */
    struct dgm_packed pieces[2];
    int64_t words;            /* of all queued sentences */
    long too_long;            /* sentences of more than it reads */
    struct dgm_unknown seen;  /* words, and those that have no letter or piece that it knows */
    struct dgm_parsed parsed; /* results */
};

/* Which parser of a model: the one inside, or else the encoder's head; that head; the decoder's. */
enum dgm_sentence_parser_choice {
    DGM_PARSER_ANY,
    DGM_PARSER_ENCODER_HEAD,
    DGM_PARSER_DECODER_HEAD
};

/* Opens the parsers in 1..DGM_ENSEMBLE files, to multiply with numbers of this type. DGM_MODEL
 * where one has none of this choice, or not the classes of the first; DGM_USAGE for several
 * heads. */
dgm_status dgm_sentence_parser_open(struct dgm_env *env, struct dgm_sentence_parser *parser,
                                    struct dgm_device *device, const char *const *paths,
                                    size_t count, enum dgm_sentence_parser_choice choice,
                                    enum dgm_compute_type type,
                                    const struct dgm_parse_options *options);
void dgm_sentence_parser_clear(struct dgm_sentence_parser *parser);

/* Chooses the treebank whose annotation is imitated; NULL: the first, of which a note tells where
 * there are several. DGM_MODEL for a name that the parser does not have, or where it has none. */
dgm_status dgm_sentence_parser_imitate(struct dgm_sentence_parser *parser, const char *treebank);

/* Whether the parser has learned to cut running text; and readies it for that. */
int dgm_sentence_parser_cuts(const struct dgm_sentence_parser *parser);
dgm_status dgm_sentence_parser_open_cut(struct dgm_sentence_parser *parser);

/* Cuts running text into words with blanks between, as the parser wants them. */
dgm_status dgm_sentence_parser_tokenize(struct dgm_sentence_parser *parser, struct dgm_buf *words,
                                        const char *line, size_t bytes, const char *language);

/* Forgets the queue and its results. */
void dgm_sentence_parser_reset(struct dgm_sentence_parser *parser);
/*
 * For the decoder's head: the source of the sentence that is queued next, as a line of text;
 * *parseable: whether it has words, and no more than the model reads. If not, that sentence must
 * not be queued. The log names the first such line of `path`.
 */
dgm_status dgm_sentence_parser_source(struct dgm_sentence_parser *parser,
                                      const struct dgm_buf *text, const char *path, long line,
                                      int *parseable);
/*
 * Queues a sentence of n words; `tags`: given ones, or NULL. *number becomes its number in the
 * queue: -1 if it has no words, or more pieces than a translation model reads. One of more words
 * than a parser reads is parsed in parts. The log names the first `line` that is too long.
 */
dgm_status dgm_sentence_parser_add(struct dgm_sentence_parser *parser, const char *const *forms,
                                   const char *const *tags, int32_t n, long line, int32_t *number);
/* Warns where more than one word in ten, of all that were queued, has neither a letter nor a piece
 * that the parser knows: the text is of another script. Counts begin anew. */
void dgm_sentence_parser_tell_unknown(struct dgm_sentence_parser *parser);
/* Parses what is queued, about batch_words words at a time. */
dgm_status dgm_sentence_parser_run(struct dgm_sentence_parser *parser, int64_t batch_words);

/* Results of word w of the sentence with this number: its head as CoNLL-U counts, 0 for the
 * root; the probability of the arc, if it was asked for; the relation; the tag, "_" from an
 * attention head. */
int32_t dgm_sentence_parser_head(const struct dgm_sentence_parser *parser, int32_t number,
                                 int32_t w);
double dgm_sentence_parser_prob(const struct dgm_sentence_parser *parser, int32_t number,
                                int32_t w);
const char *dgm_sentence_parser_label(const struct dgm_sentence_parser *parser, int32_t number,
                                      int32_t w);
const char *dgm_sentence_parser_tag(const struct dgm_sentence_parser *parser, int32_t number,
                                    int32_t w);
/* The same of a column that was learned and asked for (options.morphs). A lemma is made of the
 * word's form in `room`; where nothing that was learned fits, it is the form. */
const char *dgm_sentence_parser_morph(const struct dgm_sentence_parser *parser,
                                      enum dgm_morph morph, int32_t number, int32_t w,
                                      const char *form, char room[DGM_LEMMA_BYTES]);

#endif
