/* test_magic.c: files that are no text, by what they begin with, wherever text is read. */
#include "base/file/magic.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/writer.h"
#include "base/lines/lines.h"
#include "test.h"

/* The first bytes of real files. */
static const struct {
    const char *bytes;
    size_t count;
    const char *name, *advice;
} files[] = {
    { "\xFD"
      "7zXZ\0\0\x04",
      8, "an xz file", "unpack it with xz -d" },
    { "\x5D\0\0\x80\0\xFF\xFF", 7, "an lzma file", "unpack it with xz -d --format=lzma" },
    { "LZIP\x01\x14", 6, "an lzip file", "unpack it with lzip -d" },
    { "BZh91AY&SY\x21", 11, "a bzip2 file", "unpack it with bzip2 -d" },
    { "BZh1\x17\x72\x45\x38\x50\x90\0\0", 12, "an empty bzip2 file", "unpack it with bzip2 -d" },
    { "\x04\x22\x4D\x18\x64", 5, "an lz4 file", "unpack it with lz4 -d" },
    { "\x02\x21\x4C\x18\x64", 5, "an lz4 file", "unpack it with lz4 -d" },
    { "\x89LZO\0\r\n\x1A\n", 9, "an lzop file", "unpack it with lzop -d" },
    { "\x1F\x9D\x90", 3, "a file of compress", "unpack it with uncompress" },
    { "PK\3\4\x14\0", 6, "a zip archive (or a document, or weights of PyTorch or NumPy)",
      "unpack it with unzip" },
    { "PK\5\6\0\0", 6, "an empty zip archive", "look for the right file" },
    { "7z\xBC\xAF\x27\x1C\0\4", 8, "a 7z archive", "unpack it with 7z x" },
    { "Rar!\x1A\x07\x01\0", 8, "a rar archive", "unpack it with unrar x" },
    { "%PDF-1.7\n", 9, "a PDF document", "take its text out with pdftotext" },
    { "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0", 9, "an office document", "save it as plain text" },
    { "{\\rtf1\\ansi", 11, "an RTF document", "save it as plain text" },
    { "\xFF\xFE\0\0a\0\0\0", 8, "text in UTF-32LE", "convert it with iconv -f UTF-32 -t UTF-8" },
    { "\xFF\xFE"
      "a\0",
      4, "text in UTF-16LE", "convert it with iconv -f UTF-16 -t UTF-8" },
    { "version https://git-lfs.github.com/spec/v1\n", 43, "a Git LFS pointer",
      "fetch the file that it stands for with git lfs pull" },
    { "PAR1\x15\4", 6, "a Parquet file", "write its columns as text" },
    { "\x93NUMPY\1\0", 8, "a NumPy array", "write it with what made it" },
    { "\x80\4\x95", 3, "a Python pickle", "write it with what made it" },
    { "GGUF\3\0\0\0", 8, "a GGUF file", "name it where a model is wanted" },
};

/* What packs is read where libraries are there, and refused where whole files are read. */
static const struct {
    const char *bytes;
    size_t count;
    const char *name, *advice;
} packed[] = {
    { "\x1F\x8B\x08\0", 4, "a gzip file", "unpack it with gzip -d" },
    { "\x28\xB5\x2F\xFD\0", 5, "a zstd file", "unpack it with zstd -d" },
    { "\x50\x2A\x4D\x18\0\0\0\0", 8, "a zstd file", "unpack it with zstd -d" },
    { "\x5F\x2A\x4D\x18\0\0\0\0", 8, "a zstd file", "unpack it with zstd -d" },
};

enum { FILES = sizeof files / sizeof files[0], PACKED = sizeof packed / sizeof packed[0] };

static const char *file_path(void)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/file", test_dir());
    return path;
}

/* A file that was a model is removed first, since no writer takes its place. */
static void put(const char *bytes, size_t count)
{
    struct dgm_writer writer = { .fd = 0 };

    remove(file_path());
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, file_path()), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, bytes, count), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
}

static void check_message(dgm_status status, const char *path, const char *name, const char *advice)
{
    char want[256];

    snprintf(want, sizeof want, "this is %s, not text in UTF-8: %s", name, advice);
    CHECK_STATUS(status, DGM_DATA);
    CHECK_STR(test_env()->error.message, want);
    CHECK_STR(test_env()->error.file, path);
    dgm_env_clear_error(test_env());
}

TEST(magic_lines_refuse_what_is_no_text_by_its_name)
{
    struct dgm_lines lines;

    for (size_t i = 0; i < FILES; i++) {
        const char *path = file_path();

        put(files[i].bytes, files[i].count);
        check_message(dgm_lines_open(test_env(), &lines, path), path, files[i].name,
                      files[i].advice);
        check_message(dgm_lines_open_text(test_env(), &lines, path, files[i].bytes, files[i].count),
                      path, files[i].name, files[i].advice);
    }
}

TEST(magic_whole_texts_refuse_it_and_packed_data_too)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };

    for (size_t i = 0; i < FILES; i++) {
        const char *path = file_path();

        put(files[i].bytes, files[i].count);
        check_message(dgm_file_read_text(test_env(), &text, path), path, files[i].name,
                      files[i].advice);
    }
    for (size_t i = 0; i < PACKED; i++) {
        const char *path = file_path();

        put(packed[i].bytes, packed[i].count);
        check_message(dgm_file_read_text(test_env(), &text, path), path, packed[i].name,
                      packed[i].advice);
    }
    dgm_buf_clear(test_env(), &text);
}

/* The header of a tar archive begins with a name, and its mark stands behind. */
TEST(magic_of_a_tar_archive_stands_far_behind)
{
    char header[512] = "train.de";
    struct dgm_lines lines;
    const char *path = file_path();

    memcpy(header + 257, "ustar", 5);
    put(header, sizeof header);
    check_message(dgm_lines_open(test_env(), &lines, path), path, "a tar archive",
                  "unpack it with tar -xf");
    CHECK(dgm_magic_find(header, 262, DGM_MAGIC_TEXT) == NULL);
    CHECK(!dgm_magic_may_begin(header, 262));
    memcpy(header + 257, "ustar  ", 8); /* GNU's */
    CHECK(dgm_magic_find(header, sizeof header, DGM_MAGIC_TEXT) != NULL);
    memset(header, ' ', sizeof header);
    memcpy(header + 256, "gustar", 6);
    CHECK(dgm_magic_find(header, sizeof header, DGM_MAGIC_TEXT) == NULL);
}

/* Every row needs all of its bytes, and waits for them no longer than they agree. */
TEST(magic_is_whole_or_text)
{
    for (size_t i = 0; i < FILES; i++)
        for (size_t count = 1; count < files[i].count; count++) {
            const struct dgm_magic *magic = dgm_magic_find(files[i].bytes, count, DGM_MAGIC_TEXT);

            CHECK(magic != NULL || dgm_magic_may_begin(files[i].bytes, count));
        }
    CHECK(!dgm_magic_may_begin("BZh\n", 4));
    CHECK(!dgm_magic_may_begin("PK\n", 3));
    CHECK(!dgm_magic_may_begin("P\n", 2));
    CHECK(!dgm_magic_may_begin("%PDF\n", 5));
}

TEST(magic_leaves_text_alone)
{
    static const char *const texts[] = { "BZh9 is how bzip2 files begin\n",
                                         "PK is a company\n",
                                         "7z\n",
                                         "%PDF\n",
                                         "GGUF is a format\n",
                                         "PAR1\n",
                                         "<p>text</p>\n",
                                         "lmgg\n",
                                         "version 1\n",
                                         "Rar!\n",
                                         "" };
    struct dgm_buf text = { NULL, 0, 0, 0 };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *path = file_path();
        struct dgm_lines lines;
        int more = 0;

        put(texts[i], strlen(texts[i]));
        CHECK_STATUS(dgm_lines_open(test_env(), &lines, path), DGM_OK);
        CHECK_STATUS(dgm_lines_next(test_env(), &lines, &more), DGM_OK);
        CHECK_INT(more, texts[i][0] != '\0');
        dgm_lines_close(test_env(), &lines);
        CHECK_STATUS(dgm_file_read_text(test_env(), &text, path), DGM_OK);
    }
    dgm_buf_clear(test_env(), &text);
}

TEST(magic_of_what_is_wanted_is_none)
{
    CHECK(dgm_magic_find("GGUF\3\0\0\0", 8, DGM_MAGIC_GGUF) == NULL);
    CHECK_STR(dgm_magic_find("GGUF\0\0\0\3", 8, DGM_MAGIC_GGUF)->name, "a big-endian GGUF file");
    CHECK_STR(dgm_magic_find("<html>", 6, DGM_MAGIC_GGUF)->name,
              "an HTML or XML page (a failed download, perhaps)");
}
