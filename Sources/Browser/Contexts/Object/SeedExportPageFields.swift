/// The page that offers objects as a seed.
struct SeedExportPageFields: PageFields {
  static let template = "seedexport"
  let entityName, entityAddress, subjectName, upAddress, upName, fileAddress, fileSize: String
  let seedPredicate, untold: String?
  let isEmpty, hasOmissions: Bool
  let scope: ScopeFields?
  let counts: [CountFields]
  let reaches: [ReachFields]
  let omissions: [String]
}
