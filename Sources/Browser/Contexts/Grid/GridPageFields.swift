/// The page of a grid.
struct GridPageFields: PageFields {
  static let template = "grid"
  let entityName, entityAddress, modelAddress, orphans, predicate, completions: String
  let creation, parentName, parentAddress, total, countAddress, exactCount: String?
  var rangeWords, firstPage, previousPage, nextPage, lastPage, seedAddress, newStaged: String?
  var newStagedAddress, searchedTexts, columnsAddress, duplicatesAddress, hiddenColumns, columnsOf: String?
  var chosenColumns: String?
  let isAbstract, hasPredicate, showsEntity, hasPlaces, isEmpty, countsOne: Bool
  var hasPages = false, isOneNew = false, isSearchAdded = false
  let problem: GridProblemFields?
  let scope: ScopeFields?
  var statement: StatementFields?
  let facets: [FacetLinkFields]
  let hiddenItems: [FormItemFields]
  let columns: [GridColumnFields]
  let rows: [GridRowFields]
  let lastUses: [PredicateUseFields]
  var exports: [ExportFields] = []
  var gridItems: [FormItemFields] = []
}
