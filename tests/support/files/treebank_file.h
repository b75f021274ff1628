/*
 * treebank_file.h: a treebank written into the test's folder.
 */
#ifndef DGM_TEST_TREEBANK_FILE_H
#define DGM_TEST_TREEBANK_FILE_H

#include <stdio.h>

#include "test.h"

static inline dgm_status put_treebank(char path[1200], const char *name, const char *text)
{
    FILE *file;

    snprintf(path, 1200, "%s/%s", test_dir(), name);
    file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        return dgm_fail(test_env(), DGM_FAILURE, "cannot write %s", path);
    return DGM_OK;
}

#endif
