/*
 * mecab.h: Japanese cut into words by MeCab with its IPA dictionary, as WMT and sacreBLEU score it;
 * through libmecab where configure found it.
 */
#ifndef DGM_TEXT_SCORE_MECAB_H
#define DGM_TEXT_SCORE_MECAB_H

#include "base/buf.h"

struct dgm_mecab;

/* folder: of the dictionary; NULL: MeCab's settings say where it is. DGM_UNSUPPORTED without
 * libmecab, DGM_DATA without a dictionary or with another one: scores would be others. */
dgm_status dgm_mecab_open(struct dgm_env *env, struct dgm_mecab **mecab, const char *folder);
void dgm_mecab_close(struct dgm_env *env, struct dgm_mecab *mecab);

/* The version of the library, which signatures name. */
const char *dgm_mecab_version(void);

/* Appends the line, which no white space surrounds, as words with blanks between. */
dgm_status dgm_mecab_cut(struct dgm_env *env, struct dgm_mecab *mecab, struct dgm_buf *out,
                         const char *line, size_t bytes);

#endif
