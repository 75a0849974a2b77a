/// The page of an error.
struct ErrorPageFields: PageFields {
  static let template = "error"
  let problemTitle, problem: String
}
