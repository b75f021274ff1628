/* script.h: the scripts of letters (Unicode 14.0), and those that a language is written in. */
#ifndef DGM_TEXT_UNICODE_SCRIPT_H
#define DGM_TEXT_UNICODE_SCRIPT_H

#include "base/env.h"

enum { DGM_SCRIPTS = 256 }; /* numbers are below it */

/* The number of a letter's script; 0 for what is no letter, or is shared by scripts. */
int dgm_script_of(uint32_t code);

/* Zeroed: none. */
struct dgm_script_set {
    unsigned char holds[DGM_SCRIPTS];
    int is_given; /* not empty */
};

/*
 * Fills a set from the value of `option`: a script, as its name ("Latin") or its ISO 15924 code
 * ("Latn"), or a language, which may name its script: "ja", "sr", "sr-Latn". DGM_USAGE for what is
 * neither, and for a language whose scripts are not known here.
 */
dgm_status dgm_script_set_fill(struct dgm_env *env, struct dgm_script_set *set, const char *option,
                               const char *value);

#endif
