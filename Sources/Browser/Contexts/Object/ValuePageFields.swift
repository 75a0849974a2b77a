/// The template fields of the page that shows one stored value.
struct ValuePageFields: PageFields {
  static let template = "valuepage"
  let title, entityName, entityAddress, objectAddress, attributeName, fileAddress: String
  var size: String
  var shownCount, text, image: String?
}
