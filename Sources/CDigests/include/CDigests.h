#ifndef PERENNIAL_CDIGESTS_H
#define PERENNIAL_CDIGESTS_H

#include <stddef.h>
#include <stdint.h>

/// Adds whole blocks of 64 bytes to the eight words of a SHA-256 in the making.
void perennial_sha256_add(uint32_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);

/// Adds whole blocks of 128 bytes to the eight words of a SHA-512 in the making.
void perennial_sha512_add(uint64_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);

#endif
