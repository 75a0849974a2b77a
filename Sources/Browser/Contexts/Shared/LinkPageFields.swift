/// The page with a link for another person.
struct LinkPageFields: PageFields {
  static let template = "link"
  let link, targetAddress: String
  let isLasting: Bool
}
