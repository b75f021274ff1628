/*
 * wire.c: the wire format of protocol buffers: a tag (number and type), then what the type says.
 */
#include "text/spm/wire.h"

#include "base/le.h"

#define MOST_FIELD ((UINT32_C(1) << 29) - 1)

void dgm_wire_init(struct dgm_wire *wire, const char *bytes, size_t size, const char *name)
{
    *wire = (struct dgm_wire){ .start = bytes, .at = bytes, .end = bytes + size, .name = name };
}

void dgm_wire_enter(struct dgm_wire *inner, const struct dgm_wire *wire,
                    const struct dgm_wire_field *field)
{
    dgm_wire_init(inner, field->bytes, field->size, wire->name);
    inner->offset = wire->offset + (size_t)(field->bytes - wire->start);
}

static dgm_status fail(struct dgm_env *env, const struct dgm_wire *wire, const char *what)
{
    return dgm_fail_byte(env, DGM_DATA, wire->name,
                         (long long)(wire->offset + (size_t)(wire->at - wire->start)),
                         "%s; expected a SentencePiece model", what);
}

/* Seven bits a byte, the lowest first; the highest bit says that more follow. */
static int read_varint(struct dgm_wire *wire, uint64_t *value)
{
    unsigned shift = 0;

    *value = 0;
    for (; shift < 64 && wire->at < wire->end; shift += 7) {
        unsigned char byte = (unsigned char)*wire->at++;

        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return shift < 63 || byte <= 1; /* the tenth byte has one bit of 64 */
    }
    return 0;
}

static dgm_status read_bytes(struct dgm_env *env, struct dgm_wire *wire,
                             struct dgm_wire_field *field)
{
    uint64_t size;

    if (!read_varint(wire, &size))
        return fail(env, wire, "a length that is cut off");
    if (size > (uint64_t)(wire->end - wire->at))
        return fail(env, wire, "a field that is longer than what holds it");
    field->bytes = wire->at;
    field->size = (size_t)size;
    wire->at += field->size;
    return DGM_OK;
}

static dgm_status read_fixed(struct dgm_env *env, struct dgm_wire *wire,
                             struct dgm_wire_field *field, size_t size)
{
    const unsigned char *at = (const unsigned char *)wire->at;

    if ((size_t)(wire->end - wire->at) < size)
        return fail(env, wire, "a number that is cut off");
    field->value = size == 4 ? dgm_le32(at) : dgm_le64(at);
    wire->at += size;
    return DGM_OK;
}

dgm_status dgm_wire_next(struct dgm_env *env, struct dgm_wire *wire, struct dgm_wire_field *field)
{
    uint64_t tag;

    if (!read_varint(wire, &tag) || tag >> 3 == 0 || tag >> 3 > MOST_FIELD)
        return fail(env, wire, "no field begins here");
    *field = (struct dgm_wire_field){ .number = (uint32_t)(tag >> 3),
                                      .type = (enum dgm_wire_type)(tag & 7) };
    switch ((int)(tag & 7)) {
    case DGM_WIRE_VARINT:
        return read_varint(wire, &field->value) ? DGM_OK : fail(env, wire, "a number without end");
    case DGM_WIRE_FIXED64: return read_fixed(env, wire, field, 8);
    case DGM_WIRE_BYTES: return read_bytes(env, wire, field);
    case DGM_WIRE_FIXED32: return read_fixed(env, wire, field, 4);
    default: return fail(env, wire, "a field of an unknown type");
    }
}

dgm_status dgm_wire_want(struct dgm_env *env, const struct dgm_wire *wire,
                         const struct dgm_wire_field *field, enum dgm_wire_type type,
                         const char *what)
{
    if (field->type == type)
        return DGM_OK;
    return dgm_fail_byte(env, DGM_DATA, wire->name,
                         (long long)(wire->offset + (size_t)(wire->at - wire->start)),
                         "%s is of wire type %d; expected %d", what, (int)field->type, (int)type);
}
