/*
 * attention_forward_plain.cl: attention's forward pass without the terms of syntax: most layers of
 * most models. What is absent takes no registers: of those of sm_90 58, where all terms take 138.
 */
#define PLAIN 1
#define attention_forward attention_forward_plain
#include "attention_forward.clh"
