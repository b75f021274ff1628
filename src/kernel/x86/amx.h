/*
 * amx.h: the instructions of AMX that our products need (Intel SDM, volume 1, chapter 18). There
 * are eight registers, tiles of up to 16 rows of 64 bytes.
 *
 * Written as instructions, for the functions that gcc 12 has for them do not say that they read
 * memory. No compiler uses the registers by itself. They are named by a string, "0" .. "7".
 */
#ifndef DGM_KERNEL_X86_AMX_H
#define DGM_KERNEL_X86_AMX_H

#include <stdint.h>

enum { AMX_ROWS = 16, AMX_ROW = 64 /* bytes */ };

/* What ldtilecfg reads: the shape of every register. One of no rows and no bytes is not used. */
struct amx_shapes {
    uint8_t palette, start, reserved[14];
    uint16_t bytes[16]; /* of a row */
    uint8_t rows[16];
};

#define AMX_PALETTE 1

#define AMX_CONFIGURE(shapes) __asm__ volatile("ldtilecfg %0" : : "m"(shapes))
#define AMX_RELEASE() __asm__ volatile("tilerelease" : : : "memory")
#define AMX_ZERO(tile) __asm__ volatile("tilezero %%tmm" tile : :)

/* Rows lie `apart` bytes apart. */
#define AMX_LOAD(tile, from, apart) \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" tile : : "r"(from), "r"(apart) : "memory")
#define AMX_STORE(tile, to, apart) \
    __asm__ volatile("tilestored %%tmm" tile ", (%0,%1,1)" : : "r"(to), "r"(apart) : "memory")

/* sums[i][j] += sum over t and b < 4 of a[i][4 t + b] w[t][4 j + b], a signed and w unsigned. */
#define AMX_ADD_BYTES(sums, a, w) \
    __asm__ volatile("tdpbsud %%tmm" w ", %%tmm" a ", %%tmm" sums : : : "memory")

/* The same of pairs in bf16, b < 2, and sums in f32, in the order that matrix.h tells. */
#define AMX_ADD_HALVES(sums, a, w) \
    __asm__ volatile("tdpbf16ps %%tmm" w ", %%tmm" a ", %%tmm" sums : : : "memory")

#endif
