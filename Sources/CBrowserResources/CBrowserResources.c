// The C compiler reads the files in 0.1 s. The package manager's `.embedInCode` writes them as Swift arrays, which took 8 s.
#include "CBrowserResources.h"

// `#embed` is part of C23, and an extension of Clang in earlier versions.
#pragma clang diagnostic ignored "-Wc23-extensions"

// This is the only list of the files. Pages load the scripts in this order. Each file is a text, which a NUL ends here.
static const struct EmbeddedFile files[] = {
  {"browser.js", (const char[]){
#embed "../Browser/Resources/browser.js" suffix(, 0)
  }},
  {"predicate.js", (const char[]){
#embed "../Browser/Resources/predicate.js" suffix(, 0)
  }},
  {"parts.js", (const char[]){
#embed "../Browser/Resources/parts.js" suffix(, 0)
  }},
  {"finding.js", (const char[]){
#embed "../Browser/Resources/finding.js" suffix(, 0)
  }},
  {"writing.js", (const char[]){
#embed "../Browser/Resources/writing.js" suffix(, 0)
  }},
  {"finding.css", (const char[]){
#embed "../Browser/Resources/finding.css" suffix(, 0)
  }},
  {"icon.svg", (const char[]){
#embed "../Browser/Resources/icon.svg" suffix(, 0)
  }},
  {"style.css", (const char[]){
#embed "../Browser/Resources/style.css" suffix(, 0)
  }},
  {"writing.css", (const char[]){
#embed "../Browser/Resources/writing.css" suffix(, 0)
  }},
  {"bottom.mustache", (const char[]){
#embed "../Browser/Resources/bottom.mustache" suffix(, 0)
  }},
  {"catalogue.mustache", (const char[]){
#embed "../Browser/Resources/catalogue.mustache" suffix(, 0)
  }},
  {"column.mustache", (const char[]){
#embed "../Browser/Resources/column.mustache" suffix(, 0)
  }},
  {"columnpage.mustache", (const char[]){
#embed "../Browser/Resources/columnpage.mustache" suffix(, 0)
  }},
  {"columns.mustache", (const char[]){
#embed "../Browser/Resources/columns.mustache" suffix(, 0)
  }},
  {"compared.mustache", (const char[]){
#embed "../Browser/Resources/compared.mustache" suffix(, 0)
  }},
  {"comparedobject.mustache", (const char[]){
#embed "../Browser/Resources/comparedobject.mustache" suffix(, 0)
  }},
  {"comparison.mustache", (const char[]){
#embed "../Browser/Resources/comparison.mustache" suffix(, 0)
  }},
  {"comparisonprogress.mustache", (const char[]){
#embed "../Browser/Resources/comparisonprogress.mustache" suffix(, 0)
  }},
  {"conflicts.mustache", (const char[]){
#embed "../Browser/Resources/conflicts.mustache" suffix(, 0)
  }},
  {"deletion.mustache", (const char[]){
#embed "../Browser/Resources/deletion.mustache" suffix(, 0)
  }},
  {"diagram.mustache", (const char[]){
#embed "../Browser/Resources/diagram.mustache" suffix(, 0)
  }},
  {"difference.mustache", (const char[]){
#embed "../Browser/Resources/difference.mustache" suffix(, 0)
  }},
  {"duplicates.mustache", (const char[]){
#embed "../Browser/Resources/duplicates.mustache" suffix(, 0)
  }},
  {"edit.mustache", (const char[]){
#embed "../Browser/Resources/edit.mustache" suffix(, 0)
  }},
  {"edits.mustache", (const char[]){
#embed "../Browser/Resources/edits.mustache" suffix(, 0)
  }},
  {"error.mustache", (const char[]){
#embed "../Browser/Resources/error.mustache" suffix(, 0)
  }},
  {"facet.mustache", (const char[]){
#embed "../Browser/Resources/facet.mustache" suffix(, 0)
  }},
  {"facetpage.mustache", (const char[]){
#embed "../Browser/Resources/facetpage.mustache" suffix(, 0)
  }},
  {"grid.mustache", (const char[]){
#embed "../Browser/Resources/grid.mustache" suffix(, 0)
  }},
  {"history.mustache", (const char[]){
#embed "../Browser/Resources/history.mustache" suffix(, 0)
  }},
  {"link.mustache", (const char[]){
#embed "../Browser/Resources/link.mustache" suffix(, 0)
  }},
  {"missing.mustache", (const char[]){
#embed "../Browser/Resources/missing.mustache" suffix(, 0)
  }},
  {"model.mustache", (const char[]){
#embed "../Browser/Resources/model.mustache" suffix(, 0)
  }},
  {"modeldifference.mustache", (const char[]){
#embed "../Browser/Resources/modeldifference.mustache" suffix(, 0)
  }},
  {"moments.mustache", (const char[]){
#embed "../Browser/Resources/moments.mustache" suffix(, 0)
  }},
  {"object.mustache", (const char[]){
#embed "../Browser/Resources/object.mustache" suffix(, 0)
  }},
  {"orphans.mustache", (const char[]){
#embed "../Browser/Resources/orphans.mustache" suffix(, 0)
  }},
  {"relate.mustache", (const char[]){
#embed "../Browser/Resources/relate.mustache" suffix(, 0)
  }},
  {"saving.mustache", (const char[]){
#embed "../Browser/Resources/saving.mustache" suffix(, 0)
  }},
  {"savingprogress.mustache", (const char[]){
#embed "../Browser/Resources/savingprogress.mustache" suffix(, 0)
  }},
  {"seed.mustache", (const char[]){
#embed "../Browser/Resources/seed.mustache" suffix(, 0)
  }},
  {"seedexport.mustache", (const char[]){
#embed "../Browser/Resources/seedexport.mustache" suffix(, 0)
  }},
  {"staged.mustache", (const char[]){
#embed "../Browser/Resources/staged.mustache" suffix(, 0)
  }},
  {"strip.mustache", (const char[]){
#embed "../Browser/Resources/strip.mustache" suffix(, 0)
  }},
  {"top.mustache", (const char[]){
#embed "../Browser/Resources/top.mustache" suffix(, 0)
  }},
  {"transaction.mustache", (const char[]){
#embed "../Browser/Resources/transaction.mustache" suffix(, 0)
  }},
  {"value.mustache", (const char[]){
#embed "../Browser/Resources/value.mustache" suffix(, 0)
  }},
  {"valuepage.mustache", (const char[]){
#embed "../Browser/Resources/valuepage.mustache" suffix(, 0)
  }},
  {0, 0},
};

const struct EmbeddedFile *perennial_browser_files(void) { return files; }
