/*
 * lines.h: reading text line by line.
 */
#ifndef DGM_BASE_LINES_LINES_H
#define DGM_BASE_LINES_LINES_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_compression;

/*
 * Only LF ends a line. One CR before it is removed; a byte-order mark at the start of the file is
 * removed; the last line may lack its LF. Every other byte, NUL included, is data. gzip is
 * unpacked on the way (compression.h), and so is zstd, or refused with a message where the library
 * is missing; what else begins as no text does (base/file/magic.h) and directories are refused.
 * Lines longer than `limit` are cut there, at the start of a character, and `cut` says so; the rest
 * of such a line is skipped, up to 1 GiB, beyond which this is no text (/dev/zero).
 */
struct dgm_lines {
    const char *path; /* borrowed; "-" is standard input */
    int fd;
    const struct dgm_compression *compression; /* NULL: the file is plain */
    void *packed;                              /* its own */
    char *chunk;                               /* 64 KiB read-ahead */
    size_t start, end;                         /* unread bytes of `chunk` */
    struct dgm_buf line;
    size_t limit;    /* bytes of a line; default 16 MiB */
    long number;     /* of the line last read, from 1 */
    int cut;         /* the line last read was longer than `limit` */
    int had_cr;      /* some line so far ended in CR LF */
    int line_had_cr; /* the line last read did */
    int at_end, is_open, ended_without_lf;
    int again;        /* the line last read comes once more */
    int keeps_mark;   /* a byte-order mark belongs to the text; else it is skipped */
    long long bytes;  /* of a regular file that is not packed; else 0 */
    long long filled; /* of them, read so far */
};

dgm_status dgm_lines_open(struct dgm_env *env, struct dgm_lines *lines, const char *path);
/* What messages call a path: "-" is "standard input". */
const char *dgm_lines_name(const char *path);
/* Lines of a copy of this text; `path`, borrowed, is for messages. */
dgm_status dgm_lines_open_text(struct dgm_env *env, struct dgm_lines *lines, const char *path,
                               const char *text, size_t bytes);
/* Before the first line: a byte-order mark is text of that line. */
void dgm_lines_keep_mark(struct dgm_lines *lines);
/* Sets *more to 0 at the end of the file; otherwise lines->line holds the next line. */
dgm_status dgm_lines_next(struct dgm_env *env, struct dgm_lines *lines, int *more);
/* The line last read is read once more by the next call of dgm_lines_next. */
void dgm_lines_again(struct dgm_lines *lines);
/* Warns where the line last read was cut; --quiet does not hide it. */
void dgm_lines_warn_cut(struct dgm_env *env, const struct dgm_lines *lines);
/* The first of the unread bytes that is no blank, tab, CR or LF, which stays unread: 0 at the end
 * of the file, and where 64 KiB have none. */
dgm_status dgm_lines_peek(struct dgm_env *env, struct dgm_lines *lines, char *byte);
/* Bytes of the file that the lines so far have taken. */
long long dgm_lines_taken(const struct dgm_lines *lines);
/* Whether dgm_lines_next would return without waiting (for batching of interactive input). Of a
 * line that is not all there, what is there is read. A failure shows in dgm_lines_next. */
int dgm_lines_ready(struct dgm_env *env, struct dgm_lines *lines);
/* Whether lines up to a blank one would be. 64 KiB without a blank line count as one. */
int dgm_lines_block_ready(struct dgm_env *env, struct dgm_lines *lines);
void dgm_lines_close(struct dgm_env *env, struct dgm_lines *lines);

#endif
