/*
 * attention_forward.cl: attention's forward pass with every term that a variant of attention may
 * have. Without them: attention_forward_plain.cl.
 */
#define PLAIN 0
#include "attention_forward.clh"
