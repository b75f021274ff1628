/*
 * pipeline_learn.h: codes and vocabularies from training texts.
 */
#ifndef DGM_DATA_TEXT_PIPELINE_LEARN_H
#define DGM_DATA_TEXT_PIPELINE_LEARN_H

#include "data/text/pairs_reader.h"
#include "data/text/pipeline.h"
#include "data/tree/parses.h"
#include "text/bpe/line_sample.h"

/* How codes and vocabularies come about; a NULL path means "learn it from the text". */
struct dgm_pipeline_learn_options {
    long merges;          /* 0: words are not cut */
    const char *codes;    /* a file of codes */
    const char *spm[2];   /* SentencePiece models, where the pipeline is of them; the second one may
                             be NULL: the first serves both sides */
    const char *spm_kind; /* without `spm`: the models to learn (text/spm_learn/learn.h) */
    int every_piece;      /* BPE-dropout: the vocabulary holds all that it may cut words into */
    const char *vocab[2]; /* files of dictionaries */
    size_t vocab_size;    /* entries at most, specials included; 0: no limit */
    int64_t min_count[2]; /* of an entry, by side; joint: the first */
    int64_t lines;        /* as many of all lines, drawn at random but always the same; 0: all */
    size_t memory;        /* for the counts of words of each side; 0: no limit */
    enum dgm_bad_line on_bad;
    const struct dgm_parses *parses; /* data/tree/parses.h, of a single text; NULL: none */
};

/* Begins a sample of so many lines of all texts; 0: of all of them, for which nothing is read.
 * DGM_USAGE where a text cannot be read twice. */
dgm_status dgm_pipeline_learn_sample(struct dgm_env *env, struct dgm_line_sample *sample,
                                     const struct dgm_text_list *texts, int64_t wanted);

/* Completes a pipeline, which knows its tags, from its training texts, whose lines count as those
 * of one text: codes first, then the vocabularies of the pieces. */
dgm_status dgm_pipeline_learn(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct dgm_text_list *texts,
                              const struct dgm_pipeline_learn_options *options);

#endif
