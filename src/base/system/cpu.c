/* cpu.c: instruction sets and processors, asked from the hardware and the system. */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/system/cpu.h"

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif
#endif
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__GNUC__)

struct registers {
    uint32_t a, b, c, d;
};

static struct registers cpuid(uint32_t leaf, uint32_t part)
{
    struct registers r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(part));
    return r;
}

/* XCR0: which registers the system saves; to be asked only where OSXSAVE is set. */
static uint32_t saved_state(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static int has(uint32_t word, int bit)
{
    return (int)(word >> bit & 1);
}

/*
 * Intel SDM, volume 2, CPUID: leaf 1 ECX; leaf 7 EBX, ECX, EDX, and EAX of its part 1. That the
 * processor knows the instructions does not suffice: a system that does not save their registers
 * lets programs destroy each other's.
 */
unsigned dgm_cpu_features(void)
{
    const uint32_t avx_state = 0x06;     /* XMM, YMM */
    const uint32_t avx512_state = 0xE6;  /* and opmask, upper ZMM, ZMM16..31 */
    const uint32_t tile_state = 0x60000; /* TILECFG, TILEDATA */
    const uint32_t intel = 0x756E6547;   /* "Genu" */
    unsigned features = DGM_CPU_SSE2;
    struct registers basic, extended;
    uint32_t state;
    if (cpuid(0, 0).a < 7)
        return features;
    basic = cpuid(1, 0);
    if (!has(basic.c, 27) || !has(basic.c, 28)) /* OSXSAVE, AVX */
        return features;
    state = saved_state();
    extended = cpuid(7, 0);
    if ((state & avx_state) == avx_state && has(extended.b, 5) && has(basic.c, 12))
        features |= DGM_CPU_AVX2;
    if ((features & DGM_CPU_AVX2) && (state & avx512_state) == avx512_state &&
        has(extended.b, 16) && has(extended.b, 17) && has(extended.b, 30) && has(extended.b, 31))
        features |= DGM_CPU_AVX512;
    if ((features & DGM_CPU_AVX512) && has(extended.c, 11))
        features |= DGM_CPU_AVX512VNNI;
    if ((features & DGM_CPU_AVX2) && extended.a >= 1 && has(cpuid(7, 1).a, 4))
        features |= DGM_CPU_AVXVNNI;
    if ((features & DGM_CPU_AVX512) && extended.a >= 1 && has(cpuid(7, 1).a, 5))
        features |= DGM_CPU_AVX512BF16 | (cpuid(0, 0).b == intel ? DGM_CPU_HALF_BF16 : 0);
    if ((features & DGM_CPU_AVX512) && (state & tile_state) == tile_state && has(extended.d, 24)) {
        /* AMX-TILE, -INT8, -BF16 */
        features |= has(extended.d, 25) ? DGM_CPU_AMX_INT8 : 0;
        features |= has(extended.d, 22) ? DGM_CPU_AMX_BF16 : 0;
    }
    return features;
}

#elif defined(__aarch64__)

unsigned dgm_cpu_features(void)
{
    unsigned features = DGM_CPU_NEON;
#if defined(__linux__)
    if (getauxval(AT_HWCAP) & 1u << 20) /* HWCAP_ASIMDDP */
        features |= DGM_CPU_DOTPROD;
    if (getauxval(AT_HWCAP2) & 1u << 13) /* HWCAP2_I8MM */
        features |= DGM_CPU_I8MM;
#endif
    return features;
}

#else

unsigned dgm_cpu_features(void)
{
    return 0;
}

#endif

static int has_tiles(void)
{
#if defined(__linux__) && defined(__x86_64__) && defined(SYS_arch_prctl)
    const long request = 0x1023, tile_data = 18; /* ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA */

    return syscall(SYS_arch_prctl, request, tile_data) == 0;
#else
    return 0;
#endif
}

int dgm_cpu_may_use(unsigned features)
{
    if ((features & ~dgm_cpu_features()) != 0)
        return 0;
    return (features & (DGM_CPU_AMX_INT8 | DGM_CPU_AMX_BF16)) == 0 || has_tiles();
}

int dgm_cpu_count(void)
{
    long count;
#if defined(__linux__) && defined(CPU_COUNT)
    /* Fewer than there are under taskset, or in a container with a set of processors of its own. */
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        return CPU_COUNT(&allowed);
#endif
    count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 4096 ? 4096 : (int)count;
}

enum { SET_BITS = 16 * 64 };

static void add_cpu(struct dgm_cpu_set *set, int number)
{
    set->words[number / 64] |= (uint64_t)1 << number % 64;
}

void dgm_cpus_allowed(struct dgm_cpu_set *set)
{
    int count = dgm_cpu_count(), i;
#if defined(__linux__) && defined(CPU_COUNT)
    cpu_set_t allowed;

    memset(set, 0, sizeof *set);
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        for (i = 0; i < SET_BITS && i < CPU_SETSIZE; i++)
            if (CPU_ISSET((size_t)i, &allowed))
                add_cpu(set, i);
        return;
    }
#endif
    memset(set, 0, sizeof *set);
    for (i = 0; i < count && i < SET_BITS; i++)
        add_cpu(set, i);
}

int dgm_cpus_count(const struct dgm_cpu_set *set)
{
    int count = 0, i;

    for (i = 0; i < SET_BITS; i++)
        count += (int)(set->words[i / 64] >> i % 64 & 1);
    return count;
}

int dgm_cpus_meet(const struct dgm_cpu_set *a, const struct dgm_cpu_set *b)
{
    for (int i = 0; i < 16; i++)
        if ((a->words[i] & b->words[i]) != 0)
            return 1;
    return 0;
}
