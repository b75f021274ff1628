/* script_data.h: the layout of the tables in script_data.c; used by script.c alone. */
#ifndef DGM_TEXT_UNICODE_SCRIPT_DATA_H
#define DGM_TEXT_UNICODE_SCRIPT_DATA_H

#include <stddef.h>
#include <stdint.h>

/* ISO 15924 code and name of each script; number 0 is none. */
struct dgm_script_name {
    const char *code, *name;
};

extern const struct dgm_script_name dgm_script_names[];
extern const int dgm_script_count; /* at most 256, number 0 included */

/* The scripts of the characters below U+0080. */
extern const uint8_t dgm_script_ascii[128];

/* Runs of letters of one script, in order: first character << 8 | number of the script. */
extern const uint32_t dgm_script_runs[];
extern const size_t dgm_script_run_count;

#endif
