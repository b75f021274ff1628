/*
 * npz.c: arrays of NumPy in an archive: each member is an .npy file (NumPy's format, versions 1 to
 * 3: numpy.lib.format), a header that is a literal of Python, and the numbers.
 */
#include <string.h>

#include "base/le.h"
#include "base/number/number.h"
#include "tensor/foreign/foreign.h"
#include "tensor/foreign/zip.h"

/* Bytes: six of a mark and two of a version, before the length of the header (2, from version 2 on
 * 4). */
enum { PREFIX = 8, MOST_HEADER = 4096 };

/* Types as NumPy spells them. */
static const struct {
    const char *name;
    struct dgm_foreign_type type;
} types[] = {
    { "<f4", { "f4", DGM_FOREIGN_F32, 4 } }, { "<f2", { "f2", DGM_FOREIGN_F16, 2 } },
    { "<f8", { "f8", DGM_FOREIGN_F64, 8 } }, { "|i1", { "i1", DGM_FOREIGN_INT, 1 } },
    { "<i1", { "i1", DGM_FOREIGN_INT, 1 } }, { "|u1", { "u1", DGM_FOREIGN_INT, 1 } },
    { "<i2", { "i2", DGM_FOREIGN_INT, 2 } }, { "<i4", { "i4", DGM_FOREIGN_INT, 4 } },
    { "<i8", { "i8", DGM_FOREIGN_INT, 8 } }, { "<u4", { "u4", DGM_FOREIGN_INT, 4 } },
};

/* A header on its way. */
struct header {
    struct dgm_env *env;
    const struct dgm_foreign *file;
    const char *member; /* for messages */
    uint64_t at;
    const char *text, *end;
    int is_fortran;
    unsigned seen; /* of the three keys, a bit each */
    char descr[32];
    size_t descr_bytes;
};

static dgm_status fail(const struct header *header, const char *expected)
{
    return dgm_fail_byte(header->env, DGM_MODEL, header->file->name, (long long)header->at,
                         "array \"%s\" has a bad header; expected %s", header->member, expected);
}

static void skip_blanks(struct header *header)
{
    while (header->text < header->end && (*header->text == ' ' || *header->text == '\n'))
        header->text++;
}

/* A word or a mark, if it comes. */
static int try_word(struct header *header, const char *word)
{
    const size_t length = strlen(word);

    skip_blanks(header);
    if ((size_t)(header->end - header->text) < length || memcmp(header->text, word, length) != 0)
        return 0;
    header->text += length;
    return 1;
}

static dgm_status read_descr(struct header *header)
{
    const char *end;

    if (!try_word(header, "'"))
        return fail(header, "one type of numbers in quotes behind 'descr'");
    end = memchr(header->text, '\'', (size_t)(header->end - header->text));
    if (end == NULL || (size_t)(end - header->text) >= sizeof header->descr)
        return fail(header, "a short type of numbers behind 'descr'");
    header->descr_bytes = (size_t)(end - header->text);
    memcpy(header->descr, header->text, header->descr_bytes);
    header->descr[header->descr_bytes] = '\0';
    header->text = end + 1;
    return DGM_OK;
}

static dgm_status read_dimension(struct header *header, struct dgm_foreign_tensor *tensor)
{
    const char *start = header->text;
    uint64_t value;

    while (header->text < header->end && *header->text >= '0' && *header->text <= '9')
        header->text++;
    if (tensor->rank == DGM_FOREIGN_RANK)
        return fail(header, "at most 8 dimensions");
    if (!dgm_number_uint(&value, start, (size_t)(header->text - start)) || value > SIZE_MAX)
        return fail(header, "whole numbers as its shape");
    tensor->dims[tensor->rank++] = (size_t)value;
    return DGM_OK;
}

static dgm_status read_shape(struct header *header, struct dgm_foreign_tensor *tensor)
{
    if (!try_word(header, "("))
        return fail(header, "( behind 'shape'");
    while (!try_word(header, ")")) {
        DGM_TRY(read_dimension(header, tensor));
        if (try_word(header, ","))
            continue;
        if (try_word(header, ")"))
            break;
        return fail(header, ", or ) in its shape");
    }
    for (int i = tensor->rank; i < DGM_FOREIGN_RANK; i++)
        tensor->dims[i] = 1;
    return DGM_OK;
}

static dgm_status read_key(struct header *header, struct dgm_foreign_tensor *tensor)
{
    static const char *const keys[] = { "'descr':", "'fortran_order':", "'shape':" };
    unsigned key = 0;

    while (key < 3 && !try_word(header, keys[key]))
        key++;
    if (key == 3 || (header->seen >> key & 1) != 0)
        return fail(header, "'descr', 'fortran_order' and 'shape', each once");
    header->seen |= 1U << key;
    if (key == 0)
        return read_descr(header);
    if (key == 2)
        return read_shape(header, tensor);
    header->is_fortran = try_word(header, "True");
    return header->is_fortran || try_word(header, "False") ? DGM_OK : fail(header, "True or False");
}

static dgm_status read_literal(struct header *header, struct dgm_foreign_tensor *tensor)
{
    if (!try_word(header, "{"))
        return fail(header, "{");
    while (!try_word(header, "}")) {
        DGM_TRY(read_key(header, tensor));
        if (!try_word(header, ",") && !try_word(header, "}"))
            return fail(header, ", or }");
        if (header->text[-1] == '}')
            break;
    }
    skip_blanks(header);
    if (header->text != header->end || header->seen != 7)
        return fail(header, "'descr', 'fortran_order' and 'shape', and nothing else");
    return DGM_OK;
}

static dgm_status take_type(struct header *header, struct dgm_foreign_tensor *tensor)
{
    int large = 0;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, header->descr) == 0)
            tensor->type = &types[i].type;
    if (tensor->type == NULL)
        return dgm_foreign_fail_type(header->env, header->file, header->member, header->descr,
                                     header->descr_bytes);
    /* With one dimension above 1 at most, both orders are the same. */
    for (int i = 0; i < tensor->rank; i++)
        large += tensor->dims[i] > 1;
    if (header->is_fortran && large > 1)
        return fail(header, "the order of C (numpy.ascontiguousarray makes it)");
    return DGM_OK;
}

/* The bytes in front of the numbers, and how many they are. */
static dgm_status read_header(struct header *header, struct dgm_foreign_tensor *tensor,
                              uint64_t plain)
{
    unsigned char start[PREFIX + 4], bytes[PREFIX + 4 + MOST_HEADER];
    size_t prefix, length;

    if (plain < sizeof start)
        return fail(header, "an .npy file");
    DGM_TRY(dgm_foreign_begin_at(header->env, header->file, tensor, start, sizeof start));
    if (memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3 || start[7] != 0)
        return fail(header, "an .npy file of version 1, 2 or 3");
    prefix = start[6] == 1 ? PREFIX + 2 : PREFIX + 4;
    length = start[6] == 1 ? dgm_le16(start + PREFIX) : dgm_le32(start + PREFIX);
    if (length > MOST_HEADER || prefix + length > plain)
        return fail(header, "at most 4096 bytes of it");
    tensor->skip = prefix + length;
    DGM_TRY(dgm_foreign_begin_at(header->env, header->file, tensor, bytes, tensor->skip));
    header->text = (const char *)bytes + prefix;
    header->end = header->text + length;
    DGM_TRY(read_literal(header, tensor));
    return take_type(header, tensor);
}

static dgm_status add_member(struct dgm_env *env, struct dgm_foreign *file,
                             const struct dgm_zip_member *member)
{
    struct dgm_foreign_tensor tensor = { .at = member->at,
                                         .stored = member->stored,
                                         .is_packed = member->is_packed };
    struct header header = { .env = env, .file = file, .at = member->at };
    size_t length = member->name_bytes;
    char quoted[DGM_QUOTE_SIZE];

    if (length > 4 && memcmp(member->name + length - 4, ".npy", 4) == 0)
        length -= 4;
    else if (memchr(member->name, '/', length) != NULL) /* as packages of Argos Translate are */
        return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)member->at,
                             "an archive of folders, not of arrays; expected what it holds, "
                             "unpacked");
    dgm_quote(quoted, sizeof quoted, member->name, length);
    header.member = quoted;
    DGM_TRY(read_header(&header, &tensor, member->plain));
    tensor.has_crc = 1;
    tensor.crc = member->crc;
    DGM_TRY(dgm_foreign_add(env, file, &tensor, member->name, length));
    if (member->plain - tensor.skip != file->tensors[file->count - 1].bytes)
        return fail(&header, "as many bytes behind it as the numbers of its shape take");
    return DGM_OK;
}

dgm_status dgm_npz_list(struct dgm_env *env, struct dgm_foreign *file)
{
    file->format = "npz";
    return dgm_zip_list(env, file, add_member);
}
