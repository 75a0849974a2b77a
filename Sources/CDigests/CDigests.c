// SHA-256 and SHA-512 of FIPS 180-4. They are written in C because a debug build compiles Swift without optimization:
// digesting a megabyte took a second in Swift, and seeds and models are digested whenever they are opened.
#include "CDigests.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <stdatomic.h>
#include <stdbool.h>
#endif

// The first fractional bits of the cube roots of the first primes, one number for each round.
static const uint32_t constants32[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint64_t constants64[80] = {
    0x428a2f98d728ae22u, 0x7137449123ef65cdu, 0xb5c0fbcfec4d3b2fu, 0xe9b5dba58189dbbcu,
    0x3956c25bf348b538u, 0x59f111f1b605d019u, 0x923f82a4af194f9bu, 0xab1c5ed5da6d8118u,
    0xd807aa98a3030242u, 0x12835b0145706fbeu, 0x243185be4ee4b28cu, 0x550c7dc3d5ffb4e2u,
    0x72be5d74f27b896fu, 0x80deb1fe3b1696b1u, 0x9bdc06a725c71235u, 0xc19bf174cf692694u,
    0xe49b69c19ef14ad2u, 0xefbe4786384f25e3u, 0x0fc19dc68b8cd5b5u, 0x240ca1cc77ac9c65u,
    0x2de92c6f592b0275u, 0x4a7484aa6ea6e483u, 0x5cb0a9dcbd41fbd4u, 0x76f988da831153b5u,
    0x983e5152ee66dfabu, 0xa831c66d2db43210u, 0xb00327c898fb213fu, 0xbf597fc7beef0ee4u,
    0xc6e00bf33da88fc2u, 0xd5a79147930aa725u, 0x06ca6351e003826fu, 0x142929670a0e6e70u,
    0x27b70a8546d22ffcu, 0x2e1b21385c26c926u, 0x4d2c6dfc5ac42aedu, 0x53380d139d95b3dfu,
    0x650a73548baf63deu, 0x766a0abb3c77b2a8u, 0x81c2c92e47edaee6u, 0x92722c851482353bu,
    0xa2bfe8a14cf10364u, 0xa81a664bbc423001u, 0xc24b8b70d0f89791u, 0xc76c51a30654be30u,
    0xd192e819d6ef5218u, 0xd69906245565a910u, 0xf40e35855771202au, 0x106aa07032bbd1b8u,
    0x19a4c116b8d2d0c8u, 0x1e376c085141ab53u, 0x2748774cdf8eeb99u, 0x34b0bcb5e19b48a8u,
    0x391c0cb3c5c95a63u, 0x4ed8aa4ae3418acbu, 0x5b9cca4f7763e373u, 0x682e6ff3d6b2b8a3u,
    0x748f82ee5defb2fcu, 0x78a5636f43172f60u, 0x84c87814a1f0ab72u, 0x8cc702081a6439ecu,
    0x90befffa23631e28u, 0xa4506cebde82bde9u, 0xbef9a3f7b2c67915u, 0xc67178f2e372532bu,
    0xca273eceea26619cu, 0xd186b8c721c0c207u, 0xeada7dd6cde0eb1eu, 0xf57d4f7fee6ed178u,
    0x06f067aa72176fbau, 0x0a637dc5a2c898a6u, 0x113f9804bef90daeu, 0x1b710b35131c471bu,
    0x28db77f523047d84u, 0x32caab7b40c72493u, 0x3c9ebe0a15c9bebcu, 0x431d67c49c100d4cu,
    0x4cc5d4becb3e42b6u, 0x597f299cfc657e2au, 0x5fcb6fab3ad6faecu, 0x6c44198c4a475817u,
};

#define ROTATED(word, count) ((word) >> (count) | (word) << (8 * sizeof(word) - (count)))

// The distances by which a round rotates words. The schedule rotates a word twice and shifts it once.
#define FIRST32(e) (ROTATED(e, 6) ^ ROTATED(e, 11) ^ ROTATED(e, 25))
#define SECOND32(a) (ROTATED(a, 2) ^ ROTATED(a, 13) ^ ROTATED(a, 22))
#define EARLY32(w) (ROTATED(w, 7) ^ ROTATED(w, 18) ^ (w) >> 3)
#define LATE32(w) (ROTATED(w, 17) ^ ROTATED(w, 19) ^ (w) >> 10)

#define FIRST64(e) (ROTATED(e, 14) ^ ROTATED(e, 18) ^ ROTATED(e, 41))
#define SECOND64(a) (ROTATED(a, 28) ^ ROTATED(a, 34) ^ ROTATED(a, 39))
#define EARLY64(w) (ROTATED(w, 1) ^ ROTATED(w, 8) ^ (w) >> 7)
#define LATE64(w) (ROTATED(w, 19) ^ ROTATED(w, 61) ^ (w) >> 6)

// A round changes two of the eight variables. Each round names the variables in rotated order instead of moving the
// words; after eight rounds the order is the first one again.
#define ROUND(bits, a, b, c, d, e, f, g, h, index)                                                        \
    h += FIRST##bits(e) + (g ^ (e & (f ^ g))) + constants##bits[index] + schedule[index];                 \
    d += h;                                                                                               \
    h += SECOND##bits(a) + ((a & b) | (c & (a | b)));

#define DEFINE_ADD(name, bits, rounds)                                                                    \
    void name(uint##bits##_t *state, const uint8_t *blocks, size_t count) {                               \
        uint##bits##_t schedule[rounds];                                                                  \
        for (; count > 0; count--) {                                                                      \
            for (int index = 0; index < 16; index++) {                                                    \
                uint##bits##_t word = 0;                                                                  \
                for (unsigned byte = 0; byte < sizeof(word); byte++) word = word << 8 | *blocks++;        \
                schedule[index] = word;                                                                   \
            }                                                                                             \
            for (int index = 16; index < rounds; index++) {                                               \
                schedule[index] = schedule[index - 16] + EARLY##bits(schedule[index - 15])                \
                    + schedule[index - 7] + LATE##bits(schedule[index - 2]);                              \
            }                                                                                             \
            uint##bits##_t a = state[0], b = state[1], c = state[2], d = state[3];                        \
            uint##bits##_t e = state[4], f = state[5], g = state[6], h = state[7];                        \
            for (int index = 0; index < rounds; index += 8) {                                             \
                ROUND(bits, a, b, c, d, e, f, g, h, index)                                                \
                ROUND(bits, h, a, b, c, d, e, f, g, index + 1)                                            \
                ROUND(bits, g, h, a, b, c, d, e, f, index + 2)                                            \
                ROUND(bits, f, g, h, a, b, c, d, e, index + 3)                                            \
                ROUND(bits, e, f, g, h, a, b, c, d, index + 4)                                            \
                ROUND(bits, d, e, f, g, h, a, b, c, index + 5)                                            \
                ROUND(bits, c, d, e, f, g, h, a, b, index + 6)                                            \
                ROUND(bits, b, c, d, e, f, g, h, a, index + 7)                                            \
            }                                                                                             \
            state[0] += a; state[1] += b; state[2] += c; state[3] += d;                                   \
            state[4] += e; state[5] += f; state[6] += g; state[7] += h;                                   \
        }                                                                                                 \
    }

DEFINE_ADD(perennial_sha256_add_portably, 32, 64)
DEFINE_ADD(perennial_sha512_add, 64, 80)

#if defined(__x86_64__)

// True if the processor has the instructions that add_with_instructions uses:
// <https://www.intel.com/content/www/us/en/docs/intrinsics-guide/>. A virtual machine answers the question slowly, so it is
// asked once.
static bool has_instructions(void) {
    static atomic_int known = 0;
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == 0) {
        unsigned a, b, c, d;
        bool hasSSE = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) && (c & bit_SSE4_1);
        bool hasSHA = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
        answer = hasSSE && hasSHA ? 1 : 2;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer == 1;
}

// The instructions keep the eight variables in two registers: a, b, e and f, and c, d, g and h.
__attribute__((target("sha,sse4.1,ssse3")))
static void add_with_instructions(uint32_t *state, const uint8_t *blocks, size_t count) {
    const __m128i byteOrder = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i *halves = (__m128i *)state;
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(halves), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(halves + 1), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; count > 0; count--, blocks += 64) {
        __m128i formerABEF = abef, formerCDGH = cdgh;
        __m128i schedule[4];
        for (int part = 0; part < 4; part++) {
            schedule[part] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)blocks + part), byteOrder);
        }
        // Four rounds at a time. The words of the next sixteen rounds replace those that were used.
        for (int part = 0; part < 16; part++) {
            __m128i words = schedule[part % 4];
            __m128i sums = _mm_add_epi32(words, _mm_loadu_si128((const __m128i *)constants32 + part));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sums, 0x0e));
            __m128i last = schedule[(part + 3) % 4];
            __m128i early = _mm_sha256msg1_epu32(words, schedule[(part + 1) % 4]);
            __m128i middle = _mm_alignr_epi8(last, schedule[(part + 2) % 4], 4);
            schedule[part % 4] = _mm_sha256msg2_epu32(_mm_add_epi32(early, middle), last);
        }
        abef = _mm_add_epi32(abef, formerABEF);
        cdgh = _mm_add_epi32(cdgh, formerCDGH);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(halves, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(halves + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#endif

void perennial_sha256_add(uint32_t *state, const uint8_t *blocks, size_t count) {
#if defined(__x86_64__)
    if (has_instructions()) {
        add_with_instructions(state, blocks, count);
        return;
    }
#endif
    perennial_sha256_add_portably(state, blocks, count);
}

uint64_t perennial_sha256_prefix(const uint32_t *initialState, const uint8_t *message, size_t count) {
    uint32_t state[8];
    memcpy(state, initialState, sizeof state);
    perennial_sha256_add(state, message, count / 64);
    // The rest of the message is followed by a one bit, zeros and the message's length in bits.
    uint8_t end[128] = {0};
    size_t rest = count % 64;
    if (rest > 0) memcpy(end, message + (count - rest), rest);
    end[rest] = 0x80;
    size_t blocks = rest < 56 ? 1 : 2;
    uint64_t bits = (uint64_t)count << 3;
    for (int byte = 0; byte < 8; byte++) end[blocks * 64 - 1 - byte] = (uint8_t)(bits >> (8 * byte));
    perennial_sha256_add(state, end, blocks);
    return (uint64_t)state[0] << 32 | state[1];
}
