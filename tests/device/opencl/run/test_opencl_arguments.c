/*
 * test_opencl_arguments.c: the parameters of every kernel in opencl/ are those that the host
 * pushes, by name, type and order: the task's list (kernel/task/) or the kernel's own
 * (kernel_args_list.h). OpenCL itself would take two swapped numbers. Needs no device.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/source.h"
#include "kernel/task/numbers.h"

enum { TEXT = 1 << 17, PARAMETERS = 4096 };

/* clang-format off */

/* Parameters as "type name," one after the other; "name[n]" stands for name0, name1 .. */
#define OUT_WORD(type, name) #type " " #name ","
#define IN_WORD(type, name) "const " #type " " #name ","
#define EACH(word, name, n) word " " #name "[" #n "],"

static const struct list {
    const char *name, *parameters;
} kernels[] = {
#define TASK(name) { #name, ""
#define OUT(type, name) OUT_WORD(type, name)
#define IN(type, name) IN_WORD(type, name)
#define INS(type, name, n) EACH("const " #type, name, n)
#define OPERANDS(group, name) OPERANDS_##group
#define INT(name) "int " #name ","
#define INTS(name, n) EACH("int", name, n)
#define LONG(name) "long " #name ","
#define LONGS(name, n) EACH("long", name, n)
#define REAL(name) "real " #name ","
#define FLAG(name) "int " #name ","
#define DROP "DROP,"
#define CORE(group) NUMBERS_##group
#define END(name) },
#define TASK_LIST_FILE "device/opencl/run/kernel_args_list.h"
#include "kernel/task/task_list.h"
};

static const struct list tasks[] = {
#define TASK(name) { #name, ""
#define OUT(type, name) OUT_WORD(type, name)
#define OUTS(type, name, n) EACH(#type, name, n)
#define IN(type, name) IN_WORD(type, name)
#define INS(type, name, n) EACH("const " #type, name, n)
#define OPERANDS(group, name) OPERANDS_##group
#define INT(name) "int " #name ","
#define INTS(name, n) EACH("int", name, n)
#define LONG(name) "long " #name ","
#define LONGS(name, n) EACH("long", name, n)
#define IDS(name, n) EACH("int", name, n)
#define REAL(name) "real " #name ","
#define FLAG(name) "int " #name ","
#define FLAGS(name, n) EACH("int", name, n)
#define CHOICE(type, name) "int " #name ","
#define DROP "DROP,"
#define CORE(group) NUMBERS_##group
#define END(name) },
#include "kernel/task/task_list.h"
};

static const struct program {
    const char *name;
    const struct dgm_cl_source *source;
} programs[] = {
#define PROGRAM(name) { #name, &dgm_cl_source_##name },
#define KERNEL(program, name)
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
};

static const struct pair {
    const char *program, *kernel;
} all_kernels[] = {
#define PROGRAM(name)
#define KERNEL(program, name) { #program, #name },
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
};

/* clang-format on */

/* What launchers push by hand behind a task's arguments. */
static const struct list extras[] = {
    { "norm_forward", "int step," },
    { "residual_norm_forward", "int step,PACKING," },
    { "embed_forward", "PACKING," },
    { "column_sums", "int step,int add," },
    { "embed_backward", "const int sorted,real partial," }, /* on GPUs */
    { "attention_forward", "int ldz,PACKING," },
    { "top_k", "local ulong *ranks," }, /* on GPUs */
};

/* Kernels whose text names another, which the program's first lines rename. */
static const struct list renamed[] = {
    { "attention_forward_plain", "attention_forward" },
    { "attention_backward_plain", "attention_backward" },
};

static const char *find(const struct list *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].parameters;
    return NULL;
}

#define FIND(list, name) find(list, sizeof(list) / sizeof *(list), name)

static void append(char *to, const char *from, size_t bytes)
{
    const size_t size = strlen(to);

    CHECK(size + bytes < PARAMETERS);
    memcpy(to + size, from, bytes);
    to[size + bytes] = '\0';
}

/* "long ld[2]," becomes "long ld0,long ld1,"; what the lists call a byte, OpenCL calls uchar. */
static void add_wanted(char *to, const char *list)
{
    for (const char *item = list, *comma; (comma = strchr(item, ',')) != NULL; item = comma + 1) {
        const char *bracket = memchr(item, '[', (size_t)(comma - item));
        char word[128];

        snprintf(word, sizeof word, "%.*s", (int)((bracket ? bracket : comma) - item), item);
        for (int i = 0; i < (bracket ? bracket[1] - '0' : 1); i++) {
            char digit[2] = { (char)('0' + i), '\0' };
            const char *byte = strstr(word, "byte ");

            append(to, word, byte ? (size_t)(byte - word) : strlen(word));
            append(to, "uchar ", byte ? 6 : 0);
            append(to, byte ? byte + 5 : "", byte ? strlen(byte + 5) : 0);
            append(to, digit, bracket ? 1 : 0);
            append(to, ",", 1);
        }
    }
}

static const char *text_of(const char *program, char text[TEXT])
{
    size_t size = 0;

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        for (size_t line = 0;
             strcmp(programs[i].name, program) == 0 && line < programs[i].source->count; line++) {
            const char *from = programs[i].source->lines[line];

            if (size + strlen(from) >= TEXT)
                return NULL;
            strcpy(text + size, from);
            size += strlen(from);
        }
    text[size] = '\0';
    return text;
}

/* Where a list of parameters ends: at its last parenthesis, or with the line of a macro. */
static void add_found(char *to, const char *text, const char *at, const char *end);

/* The parameters that a macro of the program stands for. */
static void add_macro(char *to, const char *text, const char *name, size_t length)
{
    char define[64];
    const char *at, *end;

    snprintf(define, sizeof define, "#define %.*s ", (int)length, name);
    at = strstr(text, define);
    CHECK(at != NULL);
    at += strlen(define);
    end = strchr(at, '\n');
    while (end[-1] == '\\')
        end = strchr(end + 1, '\n');
    add_found(to, text, at, end);
}

/* One parameter, its blanks made one: OPERAND(const real, x), const int n, or a macro. */
static void add_parameter(char *to, const char *text, char *word)
{
    char *comma = strchr(word, ',');

    if (strncmp(word, "OPERAND(", 8) == 0) {
        append(to, word + 8, (size_t)(comma - word) - 8);
        append(to, comma + 1, strlen(comma + 1) - 1);
    } else if (strncmp(word, "ATTENTION_", 10) == 0 || strcmp(word, "BEFORE") == 0) {
        add_macro(to, text, word, strlen(word));
        return;
    } else if (strcmp(word, "const long total") == 0) {
        append(to, "long count", 10); /* BEGIN of common.cl needs the other name */
    } else {
        const size_t begin = strncmp(word, "const ", 6) == 0 ? 6 : 0;

        append(to, word + begin, strlen(word + begin));
    }
    append(to, ",", 1);
}

static void add_found(char *to, const char *text, const char *at, const char *end)
{
    char word[256] = "";
    size_t size = 0;
    int depth = 0;

    for (; at <= end; at++) {
        const int is_end = at == end || (*at == ',' && depth == 0);

        depth += at < end && *at == '(';
        depth -= at < end && *at == ')';
        if (is_end && size > 0) {
            word[size - (word[size - 1] == ' ')] = '\0';
            add_parameter(to, text, word);
            size = 0;
        } else if (!is_end && size + 1 < sizeof word && *at != '\\') {
            if (!isspace((unsigned char)*at))
                word[size++] = *at;
            else if (size > 0 && word[size - 1] != ' ')
                word[size++] = ' ';
        }
    }
}

/* What the host pushes for a kernel; NULL: no list knows it. */
static const char *wanted_of(const char *kernel, char wanted[PARAMETERS])
{
    const char *own = FIND(kernels, kernel);
    const char *list = own != NULL ? own : FIND(tasks, kernel);

    wanted[0] = '\0';
    if (list == NULL)
        return NULL;
    add_wanted(wanted, list);
    return wanted;
}

static void check_kernel(const struct pair *pair, char *text)
{
    static char wanted[PARAMETERS], more[PARAMETERS], found[PARAMETERS];
    const char *other = FIND(renamed, pair->kernel), *kernel = other != NULL ? other : pair->kernel;
    const char *extra = FIND(extras, kernel), *at = text_of(pair->program, text);
    char head[96];
    int count = 0;

    CHECK(at != NULL && wanted_of(kernel, wanted) != NULL);
    strcpy(more, wanted);
    append(more, extra ? extra : "", extra ? strlen(extra) : 0);
    snprintf(head, sizeof head, "kernel void %s(", kernel);
    for (; (at = strstr(at, head)) != NULL; count++) {
        const char *end = strstr(at, ")\n{");

        CHECK(end != NULL);
        found[0] = '\0';
        at += strlen(head);
        add_found(found, text, at, end);
        if (strcmp(found, wanted) != 0)
            CHECK_STR(found, more);
    }
    CHECK(count > 0);
}

TEST(opencl_arguments_of_kernels)
{
    static char text[TEXT];
    int count = 0;

    for (size_t i = 0; i < sizeof all_kernels / sizeof *all_kernels; i++)
        if (strncmp(all_kernels[i].kernel, "gemm_", 5) != 0) { /* gemm/ pushes these */
            check_kernel(&all_kernels[i], text);
            count++;
        }
    CHECK(count >= 60);
}

/* The comparison does see two numbers that have changed places. */
TEST(opencl_arguments_in_order)
{
    static char wanted[PARAMETERS], found[PARAMETERS];
    const char *text = "const int n, const int dim, OPERAND(const uchar,\n   x), DROP";

    add_found(found, text, text, text + strlen(text));
    CHECK_STR(found, "int n,int dim,const uchar x,DROP,");
    add_wanted(wanted, "int n,long ld[2],const byte x,DROP,");
    CHECK_STR(wanted, "int n,long ld0,long ld1,const uchar x,DROP,");
}

#else
TEST(opencl_arguments_of_kernels)
{
    TEST_SKIP("this build has no OpenCL");
}

TEST(opencl_arguments_in_order)
{
    TEST_SKIP("this build has no OpenCL");
}
#endif
