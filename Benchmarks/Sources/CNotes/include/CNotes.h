#ifndef CNotes_h
#define CNotes_h

/// Loads notes, categories and tags of a file in JSON Lines into an empty store, with only the necessary work. A
/// benchmark compares other loads with it.
///
/// - Returns: `NULL`, or a description of the failure, which the caller must not free.
const char *_Nullable CNotesLoad(const char *_Nonnull notes, const char *_Nonnull store);

#endif
