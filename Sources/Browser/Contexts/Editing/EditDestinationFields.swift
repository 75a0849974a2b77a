/// An object that a relationship in the page of a form leads to.
struct EditDestinationFields: TemplateFields {
  let destinationTitle, destinationAddress, destinationWord, place, lastPlace, placeName, placeMark: String
  let earlierMark, laterMark: String
  let canRemove, canMove: Bool
}
