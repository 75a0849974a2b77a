#ifndef CBrowserResources_h
#define CBrowserResources_h

#include <stddef.h>

/// The contents of a file of Sources/Browser/Resources, embedded in the program.
struct EmbeddedFile {
  const unsigned char *bytes;
  size_t count;
};

/// Declares the function that Swift calls as `EmbeddedFile.NAME()`. The prefix avoids conflicts with functions of the programs
/// that link it.
#define EMBEDDED_FILE(NAME) \
  struct EmbeddedFile perennial_browser_##NAME(void) __attribute__((swift_name("EmbeddedFile." #NAME "()")))

EMBEDDED_FILE(bottom_mustache);
EMBEDDED_FILE(browser_js);
EMBEDDED_FILE(catalogue_mustache);
EMBEDDED_FILE(compared_mustache);
EMBEDDED_FILE(comparedobject_mustache);
EMBEDDED_FILE(comparison_mustache);
EMBEDDED_FILE(comparisonprogress_mustache);
EMBEDDED_FILE(conflicts_mustache);
EMBEDDED_FILE(deletion_mustache);
EMBEDDED_FILE(diagram_mustache);
EMBEDDED_FILE(difference_mustache);
EMBEDDED_FILE(edit_mustache);
EMBEDDED_FILE(edits_mustache);
EMBEDDED_FILE(error_mustache);
EMBEDDED_FILE(facet_mustache);
EMBEDDED_FILE(facetpage_mustache);
EMBEDDED_FILE(grid_mustache);
EMBEDDED_FILE(history_mustache);
EMBEDDED_FILE(icon_svg);
EMBEDDED_FILE(model_mustache);
EMBEDDED_FILE(modeldifference_mustache);
EMBEDDED_FILE(moments_mustache);
EMBEDDED_FILE(object_mustache);
EMBEDDED_FILE(orphans_mustache);
EMBEDDED_FILE(parts_js);
EMBEDDED_FILE(predicate_js);
EMBEDDED_FILE(relate_mustache);
EMBEDDED_FILE(seed_mustache);
EMBEDDED_FILE(seedexport_mustache);
EMBEDDED_FILE(staged_mustache);
EMBEDDED_FILE(strip_mustache);
EMBEDDED_FILE(style_css);
EMBEDDED_FILE(top_mustache);
EMBEDDED_FILE(value_mustache);
EMBEDDED_FILE(writing_css);
EMBEDDED_FILE(writing_js);
EMBEDDED_FILE(column_mustache);
EMBEDDED_FILE(columnpage_mustache);
EMBEDDED_FILE(columns_mustache);
EMBEDDED_FILE(duplicates_mustache);
EMBEDDED_FILE(finding_css);
EMBEDDED_FILE(finding_js);
EMBEDDED_FILE(link_mustache);
EMBEDDED_FILE(missing_mustache);
EMBEDDED_FILE(transaction_mustache);
EMBEDDED_FILE(saving_mustache);
EMBEDDED_FILE(savingprogress_mustache);

#endif
