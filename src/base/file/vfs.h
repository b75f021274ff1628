/*
 * vfs.h: the system calls behind every access to files, as one table that tests can replace.
 */
#ifndef DGM_BASE_FILE_VFS_H
#define DGM_BASE_FILE_VFS_H

#include <stddef.h>
#include <stdint.h>

enum dgm_file_kind { DGM_FILE_REGULAR, DGM_FILE_FOLDER, DGM_FILE_LINK, DGM_FILE_OTHER };

/* A file itself, under whichever name: device and inode tell one file from another. */
struct dgm_file_info {
    enum dgm_file_kind kind;
    uint64_t device, inode;
    long long bytes;
    unsigned mode; /* the twelve bits of chmod */
    unsigned owner, group;
};

/* A test can make any of these fail at the n-th call. Each
 * behaves as its POSIX namesake and sets errno; `size` fails with EISDIR on a directory. `info` is
 * fstat where fd >= 0; else stat of a path, or lstat where links are not followed. `restore` gives
 * a file mode and owner, the owner where the system lets us. `next_name` is the name in readdir's
 * entry, or NULL: at the end errno is 0. `lock` is F_SETLK for a whole file, to write; where a
 * process holds it, errno is EAGAIN and *holder that process, 0 if unknown. */
struct dgm_vfs {
    int (*open)(void *user, const char *path, int flags, unsigned mode);
    long (*read)(void *user, int fd, void *data, size_t count);
    long (*write)(void *user, int fd, const void *data, size_t count);
    long (*pread)(void *user, int fd, void *data, size_t count, long long offset);
    int (*sync)(void *user, int fd);
    int (*close)(void *user, int fd);
    int (*size)(void *user, int fd, long long *bytes, int *is_regular);
    int (*rename)(void *user, const char *from, const char *to);
    int (*remove)(void *user, const char *path);
    int (*link)(void *user, const char *from, const char *to);
    int (*make_folder)(void *user, const char *path, unsigned mode);
    int (*remove_folder)(void *user, const char *path);
    void *(*open_folder)(void *user, const char *path);
    const char *(*next_name)(void *user, void *folder);
    int (*close_folder)(void *user, void *folder);
    int (*lock)(void *user, int fd, long *holder);
    int (*truncate)(void *user, int fd, long long bytes);
    long (*pwrite)(void *user, int fd, const void *data, size_t count, long long offset);
    int (*info)(void *user, int fd, const char *path, int follow, struct dgm_file_info *info);
    long (*read_link)(void *user, const char *path, char *out, size_t size);
    int (*restore)(void *user, int fd, unsigned mode, unsigned owner, unsigned group);
    void *user;
};

extern const struct dgm_vfs dgm_vfs_system;

#endif
