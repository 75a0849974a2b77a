// The C compiler reads the files in 0.1 s. The package manager's `.embedInCode` writes them as Swift arrays, which took 8 s.
#include "CBrowserResources.h"

// `#embed` is part of C23, and an extension of Clang in earlier versions.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define EMBED(NAME) \
  struct EmbeddedFile perennial_browser_##NAME(void) { \
    return (struct EmbeddedFile){NAME, sizeof(NAME)}; \
  }

static const unsigned char bottom_mustache[] = {
#embed "../Browser/Resources/bottom.mustache"
};
EMBED(bottom_mustache)

static const unsigned char browser_js[] = {
#embed "../Browser/Resources/browser.js"
};
EMBED(browser_js)

static const unsigned char catalogue_mustache[] = {
#embed "../Browser/Resources/catalogue.mustache"
};
EMBED(catalogue_mustache)

static const unsigned char compared_mustache[] = {
#embed "../Browser/Resources/compared.mustache"
};
EMBED(compared_mustache)

static const unsigned char comparedobject_mustache[] = {
#embed "../Browser/Resources/comparedobject.mustache"
};
EMBED(comparedobject_mustache)

static const unsigned char comparison_mustache[] = {
#embed "../Browser/Resources/comparison.mustache"
};
EMBED(comparison_mustache)

static const unsigned char comparisonprogress_mustache[] = {
#embed "../Browser/Resources/comparisonprogress.mustache"
};
EMBED(comparisonprogress_mustache)

static const unsigned char conflicts_mustache[] = {
#embed "../Browser/Resources/conflicts.mustache"
};
EMBED(conflicts_mustache)

static const unsigned char deletion_mustache[] = {
#embed "../Browser/Resources/deletion.mustache"
};
EMBED(deletion_mustache)

static const unsigned char diagram_mustache[] = {
#embed "../Browser/Resources/diagram.mustache"
};
EMBED(diagram_mustache)

static const unsigned char difference_mustache[] = {
#embed "../Browser/Resources/difference.mustache"
};
EMBED(difference_mustache)

static const unsigned char edit_mustache[] = {
#embed "../Browser/Resources/edit.mustache"
};
EMBED(edit_mustache)

static const unsigned char edits_mustache[] = {
#embed "../Browser/Resources/edits.mustache"
};
EMBED(edits_mustache)

static const unsigned char error_mustache[] = {
#embed "../Browser/Resources/error.mustache"
};
EMBED(error_mustache)

static const unsigned char facet_mustache[] = {
#embed "../Browser/Resources/facet.mustache"
};
EMBED(facet_mustache)

static const unsigned char facetpage_mustache[] = {
#embed "../Browser/Resources/facetpage.mustache"
};
EMBED(facetpage_mustache)

static const unsigned char grid_mustache[] = {
#embed "../Browser/Resources/grid.mustache"
};
EMBED(grid_mustache)

static const unsigned char history_mustache[] = {
#embed "../Browser/Resources/history.mustache"
};
EMBED(history_mustache)

static const unsigned char icon_svg[] = {
#embed "../Browser/Resources/icon.svg"
};
EMBED(icon_svg)

static const unsigned char model_mustache[] = {
#embed "../Browser/Resources/model.mustache"
};
EMBED(model_mustache)

static const unsigned char modeldifference_mustache[] = {
#embed "../Browser/Resources/modeldifference.mustache"
};
EMBED(modeldifference_mustache)

static const unsigned char moments_mustache[] = {
#embed "../Browser/Resources/moments.mustache"
};
EMBED(moments_mustache)

static const unsigned char object_mustache[] = {
#embed "../Browser/Resources/object.mustache"
};
EMBED(object_mustache)

static const unsigned char orphans_mustache[] = {
#embed "../Browser/Resources/orphans.mustache"
};
EMBED(orphans_mustache)

static const unsigned char parts_js[] = {
#embed "../Browser/Resources/parts.js"
};
EMBED(parts_js)

static const unsigned char predicate_js[] = {
#embed "../Browser/Resources/predicate.js"
};
EMBED(predicate_js)

static const unsigned char relate_mustache[] = {
#embed "../Browser/Resources/relate.mustache"
};
EMBED(relate_mustache)

static const unsigned char seed_mustache[] = {
#embed "../Browser/Resources/seed.mustache"
};
EMBED(seed_mustache)

static const unsigned char seedexport_mustache[] = {
#embed "../Browser/Resources/seedexport.mustache"
};
EMBED(seedexport_mustache)

static const unsigned char staged_mustache[] = {
#embed "../Browser/Resources/staged.mustache"
};
EMBED(staged_mustache)

static const unsigned char strip_mustache[] = {
#embed "../Browser/Resources/strip.mustache"
};
EMBED(strip_mustache)

static const unsigned char style_css[] = {
#embed "../Browser/Resources/style.css"
};
EMBED(style_css)

static const unsigned char top_mustache[] = {
#embed "../Browser/Resources/top.mustache"
};
EMBED(top_mustache)

static const unsigned char value_mustache[] = {
#embed "../Browser/Resources/value.mustache"
};
EMBED(value_mustache)

static const unsigned char writing_css[] = {
#embed "../Browser/Resources/writing.css"
};
EMBED(writing_css)

static const unsigned char writing_js[] = {
#embed "../Browser/Resources/writing.js"
};
EMBED(writing_js)

static const unsigned char column_mustache[] = {
#embed "../Browser/Resources/column.mustache"
};
EMBED(column_mustache)

static const unsigned char columnpage_mustache[] = {
#embed "../Browser/Resources/columnpage.mustache"
};
EMBED(columnpage_mustache)

static const unsigned char columns_mustache[] = {
#embed "../Browser/Resources/columns.mustache"
};
EMBED(columns_mustache)

static const unsigned char duplicates_mustache[] = {
#embed "../Browser/Resources/duplicates.mustache"
};
EMBED(duplicates_mustache)

static const unsigned char finding_css[] = {
#embed "../Browser/Resources/finding.css"
};
EMBED(finding_css)

static const unsigned char finding_js[] = {
#embed "../Browser/Resources/finding.js"
};
EMBED(finding_js)

static const unsigned char link_mustache[] = {
#embed "../Browser/Resources/link.mustache"
};
EMBED(link_mustache)

static const unsigned char missing_mustache[] = {
#embed "../Browser/Resources/missing.mustache"
};
EMBED(missing_mustache)

static const unsigned char transaction_mustache[] = {
#embed "../Browser/Resources/transaction.mustache"
};
EMBED(transaction_mustache)

static const unsigned char saving_mustache[] = {
#embed "../Browser/Resources/saving.mustache"
};
EMBED(saving_mustache)

static const unsigned char savingprogress_mustache[] = {
#embed "../Browser/Resources/savingprogress.mustache"
};
EMBED(savingprogress_mustache)
