/// The page that offers objects as a seed.
struct SeedExportPageFields: PageFields {
  static let template = "seedexport"
  let entityName, entityAddress, subjectName, fileAddress, fileSize: String
  var upAddress, upName: String
  let untold: String?
  var seedPredicate: String?
  var scope: ScopeFields?
  let counts: [CountFields]
  let reaches: [ReachFields]
  let omissions: [String]
}
