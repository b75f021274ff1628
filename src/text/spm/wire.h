/*
 * wire.h: the fields of a message in the wire format of protocol buffers, one after the other.
 *
 * The bytes may be anybody's: no length is believed, no field is read beyond its message, and
 * nothing is copied. Groups, which nobody has written for many years, are refused.
 */
#ifndef DGM_TEXT_SPM_WIRE_H
#define DGM_TEXT_SPM_WIRE_H

#include "base/env.h"

enum dgm_wire_type {
    DGM_WIRE_VARINT = 0, /* `number` */
    DGM_WIRE_FIXED64 = 1,
    DGM_WIRE_BYTES = 2, /* `bytes`, `size`: text, or another message */
    DGM_WIRE_FIXED32 = 5
};

struct dgm_wire_field {
    uint32_t number;
    enum dgm_wire_type type;
    uint64_t value;    /* of a varint or a fixed number, its bits */
    const char *bytes; /* borrowed */
    size_t size;
};

struct dgm_wire {
    const char *start, *at, *end;
    const char *name; /* of the file, for messages */
    size_t offset;    /* of `start` in it */
};

void dgm_wire_init(struct dgm_wire *wire, const char *bytes, size_t size, const char *name);
/* The message inside a field. */
void dgm_wire_enter(struct dgm_wire *inner, const struct dgm_wire *wire,
                    const struct dgm_wire_field *field);
/* The next field of a message that has not ended (wire->at < wire->end). DGM_DATA with the byte
 * where the bytes are no message. */
dgm_status dgm_wire_next(struct dgm_env *env, struct dgm_wire *wire, struct dgm_wire_field *field);
/* DGM_DATA unless the field is of this type; `what` names it. */
dgm_status dgm_wire_want(struct dgm_env *env, const struct dgm_wire *wire,
                         const struct dgm_wire_field *field, enum dgm_wire_type type,
                         const char *what);

#endif
