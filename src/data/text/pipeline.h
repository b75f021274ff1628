/*
 * pipeline.h: a line of text to token ids and back, the same way in training and translation.
 *
 * line -> repair or refuse bad UTF-8 -> normalise -> tokenise -> words -> BPE pieces -> ids, and
 * back; or, with a SentencePiece model for each side, from the normalised line to its pieces.
 * Settings, codes and vocabularies travel inside the model file, so that no one can feed a model
 * text that was prepared in another way.
 */
#ifndef DGM_DATA_TEXT_PIPELINE_H
#define DGM_DATA_TEXT_PIPELINE_H

#include "base/map.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "data/side.h"
#include "data/text/copies.h"
#include "data/text/spm_text.h"
#include "data/tree/feature.h"
#include "text/bpe/bpe.h"
#include "text/bpe/vocab.h"

/* The two tasks of a multi-task model: translating, and writing the parse of the source. */
enum { DGM_TRANSLATING, DGM_PARSING, DGM_TASKS };
/* Their marks stand at both ends of a source: "<TR> x <TR>". Each is one entry of the
 * vocabulary that no text can make: a word spelled like one is unknown. */
extern const char *const dgm_task_marks[DGM_TASKS];

/* The option table: part of `train`, and of every model file. */
extern const struct dgm_opt dgm_pipeline_options[];

/* How letters with accents are read: composed (Unicode's normal form NFC) where the vocabulary has
 * no marks, so that none of them were in its text; always; as they are. */
enum dgm_text_form { DGM_TEXT_FORM_AUTO, DGM_TEXT_FORM_NFC, DGM_TEXT_FORM_KEPT };

struct dgm_pipeline {
    char language[2][16];
    int moses, lower, punctuation;
    int escapes;    /* tokens are &apos; and such, as Moses' tokenizer.perl writes them */
    unsigned steps; /* of punctuation (text/tokenize/normalize.h) */
    enum dgm_text_form form;
    int composes[2];      /* by side: text is brought to NFC (dgm_pipeline_settle_form) */
    int has_bpe, joint;   /* joint: one vocabulary for both sides */
    int has_slots;        /* the vocabularies have those of text/span/slot.h */
    int omits_end;        /* of sources that are not blank, whose encoder never read one */
    int multitask;        /* sources stand between marks, those of translating */
    struct dgm_buf codes; /* the codes as text, for the model file */
    struct dgm_bpe bpe;
    int has_spm;                  /* pieces are those of SentencePiece models */
    struct dgm_spm_text spm[2];   /* joint: the first serves both sides if the second is empty */
    struct dgm_vocab vocab[2];    /* joint: only the first is filled */
    struct dgm_map tags;          /* pipeline_tags.h: those that the model knows */
    int32_t tag;                  /* the id of the one in front of sources; 0: none */
    int has_target_tags;          /* the model's targets begin with a tag, too */
    int32_t target_tag;           /* the id of the one in front of targets; 0: none */
    struct dgm_features features; /* of source words, those that the model reads */
    struct dgm_buf clean, tokens, piece; /* scratch */
    struct dgm_spm_line line;
    struct dgm_spm_decoder decoder;
};

/* One encoded line. Arrays grow as needed and are reused. */
struct dgm_encoded {
    int32_t *ids, *words; /* (n) pieces, marks and the end; word of each piece, else -1 */
    int32_t n, n_words;
    struct dgm_buf text; /* the words, single blanks between: what trees must match */
    size_t id_capacity, word_capacity;
};

dgm_status dgm_pipeline_init(struct dgm_env *env, struct dgm_pipeline *pipeline,
                             const struct dgm_settings *settings, int joint);
void dgm_pipeline_clear(struct dgm_env *env, struct dgm_pipeline *pipeline);

/* One for another user: it shares codes, vocabularies, tags and features of `of`, which must
 * outlive it and stay as they are; it has scratch memory of its own and no tag yet. */
void dgm_pipeline_beside(struct dgm_pipeline *pipeline, const struct dgm_pipeline *of);
void dgm_pipeline_clear_beside(struct dgm_env *env, struct dgm_pipeline *pipeline);

/* Takes over codes in subword-nmt's format; `name` is used in messages. */
dgm_status dgm_pipeline_set_codes(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  const char *text, size_t bytes, const char *name);

/* Takes over a SentencePiece model in place of codes; joint: that of the source is that of both,
 * unless the target has one, too. */
dgm_status dgm_pipeline_set_spm(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                                const char *bytes, size_t size, const char *name);
/* Once both models and the vocabularies are there. */
dgm_status dgm_pipeline_link_spm(struct dgm_env *env, struct dgm_pipeline *pipeline);

/* Once the vocabularies are there: whether text is composed. */
void dgm_pipeline_settle_form(struct dgm_pipeline *pipeline);

/* Bytes of codes, models of SentencePiece and vocabularies, without room for more. */
double dgm_pipeline_bytes(const struct dgm_pipeline *pipeline);

/* Moves codes, models of SentencePiece, vocabularies, tags and names of features out of another
 * pipeline, which has none then. */
void dgm_pipeline_take(struct dgm_pipeline *pipeline, struct dgm_pipeline *from);

const struct dgm_vocab *dgm_pipeline_vocab(const struct dgm_pipeline *pipeline, int side);
/* Bytes of a piece without the separator, which says that its word goes on behind it. */
size_t dgm_pipeline_bare(const struct dgm_pipeline *pipeline, const char *piece, size_t bytes);
/* The SentencePiece model of a side, where there are any. */
const struct dgm_spm_text *dgm_pipeline_spm(const struct dgm_pipeline *pipeline, int side);

/* The line with ill-formed UTF-8 repaired, and normalised, in pipeline->clean. */
dgm_status dgm_pipeline_clean(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                              const char *line, size_t bytes);
/* DGM_DATA unless the vocabularies, which came from `name`, hold the slots that are needed. */
dgm_status dgm_pipeline_check_slots(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                    const char *name);
/* Appends the words of a raw line, single blanks between: everything before BPE. */
dgm_status dgm_pipeline_words(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                              struct dgm_buf *out, const char *line, size_t bytes);

/* The whole way to ids; ill-formed UTF-8 is repaired. Each piece of SentencePiece is a word.
 * A blank line has n = 1: the end symbol. */
dgm_status dgm_pipeline_encode(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                               struct dgm_encoded *out, const char *line, size_t bytes);
/* The same of `count` words, each of which stays one: nothing is tokenised. */
dgm_status dgm_pipeline_encode_words(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                                     struct dgm_encoded *out, const char *const *words,
                                     int32_t count);
/* A linearised parse (syntax/tree/linearise.h) as target: its brackets are entries of the
 * vocabulary and are never cut. DGM_DATA for one that the vocabulary does not hold. */
dgm_status dgm_pipeline_encode_parse(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                     struct dgm_encoded *out, const char *line, size_t bytes);
/* Bytes of a word as a piece, in pipeline->piece: all but its last one get the separator. */
dgm_status dgm_pipeline_spell(struct dgm_env *env, struct dgm_pipeline *pipeline, const char *piece,
                              size_t bytes, int is_last);

/* Appends the id of a piece of a word; -1: of none. */
dgm_status dgm_encoded_push(struct dgm_env *env, struct dgm_encoded *encoded, int32_t id,
                            int32_t word);
/* Its tokens, without the end of the sentence, which a source need not have (source-end). */
int32_t dgm_encoded_tokens(const struct dgm_encoded *encoded);
/* Whether the line was blank: there is an end, and nothing else. */
int dgm_encoded_is_blank(const struct dgm_encoded *encoded);
/* Leaves at most `most` ids (at least 1): the first ones and, where there is one, the end with its
 * mark. */
void dgm_encoded_cut(struct dgm_encoded *encoded, int32_t most);
void dgm_encoded_clear(struct dgm_env *env, struct dgm_encoded *encoded);

/* DGM_DATA unless the vocabularies, which came from `name`, hold the marks that are needed. */
dgm_status dgm_pipeline_check_marks(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                    const char *name);

/* What a translation is: ids from..n-1, up to the end symbol if it comes before. Copies, or NULL,
 * stand in place of the ids that they are of. */
struct dgm_target_ids {
    const int32_t *ids;
    int32_t from, n;
    const struct dgm_copies *copies;
};

/* Appends its words, pieces joined; detokenised if `detokenize` and the pipeline tokenises. */
dgm_status dgm_pipeline_decode(struct dgm_env *env, struct dgm_pipeline *pipeline,
                               struct dgm_buf *out, const struct dgm_target_ids *target,
                               int detokenize);

#endif
