#ifndef CNotes_h
#define CNotes_h

/// Loads notes, categories and tags of a file in JSON Lines into an empty store, and does nothing that a load
/// could do without: what a benchmark compares loads with.
///
/// - Returns: `NULL`, or what has failed, in words that nobody frees.
const char *_Nullable CNotesLoad(const char *_Nonnull notes, const char *_Nonnull store);

#endif
