/* shortlist_case.h: small vocabularies and shortlists for the tests of this room. */
#ifndef DGM_TEST_SHORTLIST_CASE_H
#define DGM_TEST_SHORTLIST_CASE_H

#include <stdio.h>
#include <string.h>

#include "data/side.h"
#include "text/bpe/vocab.h"
#include "test.h"

static inline dgm_status parse_vocab(struct dgm_vocab *vocab, const char *text)
{
    memset(vocab, 0, sizeof *vocab);
    return dgm_vocab_parse(test_env(), vocab, text, strlen(text), "vocab");
}

#endif
