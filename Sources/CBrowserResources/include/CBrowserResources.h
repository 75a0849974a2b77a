#ifndef CBrowserResources_h
#define CBrowserResources_h

/// A file of Sources/Browser/Resources, embedded in the program.
struct EmbeddedFile {
  const char *name;
  /// The text of the file. A NUL ends it.
  const char *text;
};

/// Returns all files. A file without a name ends them. The prefix avoids conflicts with functions of the programs that link this.
const struct EmbeddedFile *perennial_browser_files(void) __attribute__((swift_name("EmbeddedFile.all()")));

#endif
