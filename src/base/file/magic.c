/* magic.c: the list of what files begin with that are neither text nor a model of ours. */
#include "base/file/magic.h"

#include <string.h>

/* clang-format off */
static const struct dgm_magic magics[] = {
    /* packed */
    { "1F 8B", 0, "a gzip file", "unpack it with gzip -d", 0 },
    { "28 B5 2F FD", 0, "a zstd file", "unpack it with zstd -d", 0 },
    /* A skippable frame, as pzstd writes it in front; those of lz4 look the same. */
    { "5? 2A 4D 18", 0, "a zstd file", "unpack it with zstd -d", 0 },
    { "FD 37 7A 58 5A 00", 0, "an xz file", "unpack it with xz -d", 0 },
    { "5D 00 00", 0, "an lzma file", "unpack it with xz -d --format=lzma", 0 },
    { "4C 5A 49 50 01", 0, "an lzip file", "unpack it with lzip -d", 0 },
    { "42 5A 68 3? 31 41 59 26 53 59", 0, "a bzip2 file", "unpack it with bzip2 -d", 0 },
    { "42 5A 68 3? 17 72 45 38 50 90", 0, "an empty bzip2 file", "unpack it with bzip2 -d", 0 },
    { "04 22 4D 18", 0, "an lz4 file", "unpack it with lz4 -d", 0 },
    { "02 21 4C 18", 0, "an lz4 file", "unpack it with lz4 -d", 0 },
    { "89 4C 5A 4F 00", 0, "an lzop file", "unpack it with lzop -d", 0 },
    { "1F 9D", 0, "a file of compress", "unpack it with uncompress", 0 },
    /* archives */
    { "50 4B 03 04", 0, "a zip archive (or a document, or weights of PyTorch or NumPy)",
      "unpack it with unzip", 0 },
    { "50 4B 05 06", 0, "an empty zip archive", "look for the right file", 0 },
    { "37 7A BC AF 27 1C", 0, "a 7z archive", "unpack it with 7z x", 0 },
    { "52 61 72 21 1A 07", 0, "a rar archive", "unpack it with unrar x", 0 },
    /* POSIX's and GNU's; the letters alone are Spanish ("gustar"). */
    { "75 73 74 61 72 00", 257, "a tar archive", "unpack it with tar -xf", 0 },
    { "75 73 74 61 72 20 20 00", 257, "a tar archive", "unpack it with tar -xf", 0 },
    /* documents */
    { "25 50 44 46 2D", 0, "a PDF document", "take its text out with pdftotext", 0 },
    { "D0 CF 11 E0 A1 B1 1A E1", 0, "an office document", "save it as plain text", 0 },
    { "7B 5C 72 74 66 31", 0, "an RTF document", "save it as plain text", 0 },
    { "3C", 0, "an HTML or XML page (a failed download, perhaps)", "look into it", 1 },
    { "FF FE 00 00", 0, "text in UTF-32LE", "convert it with iconv -f UTF-32 -t UTF-8", 0 },
    { "00 00 FE FF", 0, "text in UTF-32BE", "convert it with iconv -f UTF-32 -t UTF-8", 0 },
    { "FF FE", 0, "text in UTF-16LE", "convert it with iconv -f UTF-16 -t UTF-8", 0 },
    { "FE FF", 0, "text in UTF-16BE", "convert it with iconv -f UTF-16 -t UTF-8", 0 },
    /* "version https://git-lfs" */
    { "76 65 72 73 69 6F 6E 20 68 74 74 70 73 3A 2F 2F 67 69 74 2D 6C 66 73", 0,
      "a Git LFS pointer", "fetch the file that it stands for with git lfs pull", 0 },
    /* tables and weights */
    { "50 41 52 31 15", 0, "a Parquet file", "write its columns as text", 0 },
    { "93 4E 55 4D 50 59", 0, "a NumPy array", "write it with what made it", 0 },
    { "80 02", 0, "a Python pickle", "write it with what made it", 0 },
    { "80 03", 0, "a Python pickle", "write it with what made it", 0 },
    { "80 04", 0, "a Python pickle", "write it with what made it", 0 },
    { "80 05", 0, "a Python pickle", "write it with what made it", 0 },
    { "46 55 47 47", 0, "a GGUF file with swapped bytes",
      "a broken tool wrote it on a big-endian machine", 1 },
    { "47 47 55 46 00 00 00 02", 0, "a big-endian GGUF file", "write it as little-endian", 0 },
    { "47 47 55 46 00 00 00 03", 0, "a big-endian GGUF file", "write it as little-endian", 0 },
    { "47 47 55 46 ?? 00 00 00", 0, DGM_MAGIC_GGUF, "name it where a model is wanted", 0 },
    { "6C 6D 67 67", 0, "a GGML file", "convert it: this format is older than GGUF", 1 },
    { "66 6D 67 67", 0, "a GGML file", "convert it: this format is older than GGUF", 1 },
    { "74 6A 67 67", 0, "a GGML file", "convert it: this format is older than GGUF", 1 },
};
/* clang-format on */

enum { MAGICS = sizeof magics / sizeof magics[0] };

static int digit_is(char digit, unsigned value)
{
    return digit == '?' || digit == "0123456789ABCDEF"[value];
}

/* How many bytes of the row there are, and whether as many of those given are of it as can be. */
static int agrees(const struct dgm_magic *magic, const unsigned char *bytes, size_t count,
                  size_t *length)
{
    const char *digits = magic->bytes;

    *length = magic->at + (strlen(digits) + 1) / 3;
    for (size_t i = magic->at; i < *length && i < count; i++, digits += 3)
        if (!digit_is(digits[0], bytes[i] >> 4) || !digit_is(digits[1], bytes[i] & 15))
            return 0;
    return 1;
}

const struct dgm_magic *dgm_magic_find(const void *bytes, size_t count, const char *wanted)
{
    const int wants_text = strcmp(wanted, DGM_MAGIC_TEXT) == 0;
    size_t length;

    for (size_t i = 0; i < MAGICS; i++)
        if (!(wants_text && magics[i].may_be_text) && agrees(&magics[i], bytes, count, &length) &&
            count >= length)
            return strcmp(magics[i].name, wanted) != 0 ? &magics[i] : NULL;
    return NULL;
}

int dgm_magic_may_begin(const void *bytes, size_t count)
{
    size_t length;

    for (size_t i = 0; i < MAGICS; i++)
        if (magics[i].at == 0 && !magics[i].may_be_text &&
            agrees(&magics[i], bytes, count, &length) && count < length)
            return 1;
    return 0;
}

dgm_status dgm_magic_check(struct dgm_env *env, dgm_status status, const char *path,
                           const void *bytes, size_t count, const char *wanted)
{
    const struct dgm_magic *magic = dgm_magic_find(bytes, count, wanted);

    return magic == NULL ? DGM_OK
                         : dgm_fail_at(env, status, path, 0, 0, "this is %s, not %s: %s",
                                       magic->name, wanted, magic->advice);
}

dgm_status dgm_magic_check_text(struct dgm_env *env, const char *path, const void *bytes,
                                size_t count)
{
    return dgm_magic_check(env, DGM_DATA, path, bytes, count, DGM_MAGIC_TEXT);
}
