/*
 * attention_backward_plain.cl: attention's backward pass without the terms of syntax, as
 * attention_forward_plain.cl.
 */
#define PLAIN 1
#define attention_backward attention_backward_plain
#include "attention_backward.clh"
