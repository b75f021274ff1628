/* beam_list.h: the rules of beam search, one line each; the first is the default. */
BEAM_RULE(fairseq)
BEAM_RULE(shrinking)
