/* test_wire.c: the wire format of protocol buffers, whole and broken. */
#include <string.h>

#include "test.h"
#include "text/spm/wire.h"

static dgm_status next(struct dgm_wire *wire, struct dgm_wire_field *field, int *more)
{
    *more = wire->at < wire->end;
    return *more ? dgm_wire_next(test_env(), wire, field) : DGM_OK;
}

TEST(wire_gives_every_field_in_turn)
{
    static const char bytes[] = "\x08\x96\x01"             /* 1: the number 150 */
                                "\x12\x02hi"               /* 2: bytes */
                                "\x1D\x01\x02\x03\x04"     /* 3: four bytes */
                                "\x21\x01\0\0\0\0\0\0\x80" /* 4: eight bytes */
                                "\xA2\x06\0";              /* 100: no bytes */
    struct dgm_wire wire, inner;
    struct dgm_wire_field field;
    int more;

    dgm_wire_init(&wire, bytes, sizeof bytes - 1, "m");
    CHECK_STATUS(next(&wire, &field, &more), DGM_OK);
    CHECK(more && field.number == 1 && field.type == DGM_WIRE_VARINT && field.value == 150);
    CHECK_STATUS(next(&wire, &field, &more), DGM_OK);
    CHECK(more && field.number == 2 && field.size == 2 && memcmp(field.bytes, "hi", 2) == 0);
    dgm_wire_enter(&inner, &wire, &field);
    CHECK_INT(inner.offset, 5);
    CHECK_STATUS(next(&wire, &field, &more), DGM_OK);
    CHECK(more && field.number == 3 && field.value == 0x04030201);
    CHECK_STATUS(dgm_wire_want(test_env(), &wire, &field, DGM_WIRE_FIXED32, "it"), DGM_OK);
    CHECK_STATUS(next(&wire, &field, &more), DGM_OK);
    CHECK(more && field.value == UINT64_C(0x8000000000000001));
    CHECK_STATUS(next(&wire, &field, &more), DGM_OK);
    CHECK(more && field.number == 100 && field.size == 0);
    CHECK_STATUS(dgm_wire_want(test_env(), &wire, &field, DGM_WIRE_VARINT, "it"), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "it is of wire type 2") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(next(&wire, &field, &more), DGM_OK);
    CHECK(!more);
}

static void check_bad(const char *bytes, size_t size, const char *part)
{
    struct dgm_wire wire;
    struct dgm_wire_field field;
    int more;

    dgm_wire_init(&wire, bytes, size, "m");
    CHECK_STATUS(next(&wire, &field, &more), DGM_DATA);
    CHECK(strstr(test_env()->error.message, part) != NULL);
    dgm_env_clear_error(test_env());
}

TEST(wire_refuses_what_is_cut_off_or_too_long)
{
    check_bad("\x08", 1, "without end");
    check_bad("\x08\x80", 2, "without end");
    check_bad("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 11, "without end");
    check_bad("\x12", 1, "length");
    check_bad("\x12\x03hi", 4, "longer than");
    check_bad("\x12\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 11, "longer than");
    check_bad("\x1D\x01\x02\x03", 4, "cut off");
    check_bad("\x21\x01\x02\x03\x04\x05\x06\x07", 8, "cut off");
    check_bad("\x0B\x0C", 2, "unknown type"); /* a group */
    check_bad("\x0F", 1, "unknown type");
    check_bad("\0", 1, "no field");
    check_bad("\xF8\xFF\xFF\xFF\xFF\x01\0", 7, "no field");
}
