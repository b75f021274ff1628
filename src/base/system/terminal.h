/*
 * terminal.h: how wide a terminal is.
 */
#ifndef DGM_BASE_SYSTEM_TERMINAL_H
#define DGM_BASE_SYSTEM_TERMINAL_H

/* Columns of the terminal behind a file descriptor; 0: it is none, or does not tell. */
int dgm_terminal_columns(int fd);

#endif
