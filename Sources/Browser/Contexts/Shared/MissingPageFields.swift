/// The page that replaces a page that the store has no data for.
struct MissingPageFields: PageFields {
  static let template = "missing"
  let missingTitle, missingText, missingRemedy: String
}
