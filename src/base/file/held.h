/*
 * held.h: which lock files this process holds.
 *
 * Record locks of POSIX exclude other processes and never one's own: a second lock of the same
 * file is granted, and closing any descriptor of the file drops the first. So whoever takes a lock
 * asks here first, by device and inode, before anything is opened. This table is the one global of
 * the library that is written after it was filled; a mutex guards it.
 */
#ifndef DGM_BASE_FILE_HELD_H
#define DGM_BASE_FILE_HELD_H

/* Between the two the table belongs to the caller alone: what is asked stays true until it is
 * acted upon. */
void dgm_held_enter(void);
void dgm_held_leave(void);

/* Whether this process, not the one it was forked from, holds the file; 0 if there is none. */
int dgm_held_has(const char *path);
/* Notes an open file as held; 0 if the table is full. */
int dgm_held_add(int fd);
void dgm_held_remove(int fd);

#endif
