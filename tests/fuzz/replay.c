/*
 * replay.c: runs a fuzz target over files, or folders of files, without a fuzzer. `make
 * check` replays tests/fuzz/corpus/<name> this way, so that what was found once stays
 * fixed everywhere. Every target also gets the empty input, corpus or not.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads the whole file into a block of exactly its size, so that overruns are noticed. */
static int replay_file(const char *path, long bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(bytes > 0 ? (size_t)bytes : 1);
    if (!file || !data || fread(data, 1, (size_t)bytes, file) != (size_t)bytes) {
        perror(path);
        exit(2);
    }
    fclose(file);
    printf("%s\n", path); /* the last line before a crash names the culprit */
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, (size_t)bytes);
    free(data);
    return 1;
}

static int replay(const char *path);

static int replay_folder(const char *path)
{
    char **names = NULL;
    size_t count = 0;
    int files = 0;
    DIR *folder = opendir(path);
    struct dirent *item;
    while (folder && (item = readdir(folder))) {
        if (item->d_name[0] == '.')
            continue;
        size_t bytes = strlen(path) + strlen(item->d_name) + 2;
        names = realloc(names, (count + 1) * sizeof *names);
        if (!names || !(names[count] = malloc(bytes)))
            exit(2);
        snprintf(names[count++], bytes, "%s/%s", path, item->d_name);
    }
    if (folder)
        closedir(folder);
    if (count > 0)
        qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) {
        files += replay(names[i]);
        free(names[i]);
    }
    free(names);
    return files;
}

/* A path that does not exist is an empty corpus. Returns the number of inputs run. */
static int replay(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return 0;
    if (S_ISDIR(info.st_mode))
        return replay_folder(path);
    return replay_file(path, (long)info.st_size);
}

int main(int argc, char **argv)
{
    int files = 0;
    uint8_t nothing = 0;
    LLVMFuzzerTestOneInput(&nothing, 0);
    for (int i = 1; i < argc; i++)
        files += replay(argv[i]);
    printf("%d inputs\n", files);
    return 0;
}
