#ifndef PERENNIAL_CDIGESTS_H
#define PERENNIAL_CDIGESTS_H

#include <stddef.h>
#include <stdint.h>

/// Adds whole blocks of 64 bytes to the eight state words of an unfinished SHA-256.
void perennial_sha256_add(uint32_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);

/// The same without instructions that only some processors have.
void perennial_sha256_add_portably(uint32_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);

/// Adds whole blocks of 128 bytes to the eight state words of an unfinished SHA-512.
void perennial_sha512_add(uint64_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);

/// Returns the first 64 bits of the SHA-256 of a whole message, without allocated memory.
uint64_t perennial_sha256_prefix(
    const uint32_t *_Nonnull initialState, const uint8_t *_Nullable message, size_t count);

#endif
