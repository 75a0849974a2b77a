#ifndef PERENNIAL_CLOOKUPS_H
#define PERENNIAL_CLOOKUPS_H

#include <stdbool.h>

/// Has a library that is loaded look up one name for ever, as with a name server that does not answer. A test has no name
/// server of its own.
///
/// It replaces the address of `getaddrinfo` in the library's table of functions, and passes every other name on.
///
/// - Parameters:
///   - library: What dlopen returned.
///   - name: The name, which is not copied.
/// - Returns: False when the library has no such table, as on other systems than Linux.
bool perennial_hold_lookup(void *_Nonnull library, const char *_Nonnull name);

/// Waits until the library has begun to look up the name.
void perennial_wait_for_lookup(void);

/// Has the lookup of the name end, without an address.
void perennial_end_lookup(void);

#endif
