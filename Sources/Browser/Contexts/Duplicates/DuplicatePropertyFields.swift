/// A property by which the page of duplicates compares objects.
struct DuplicatePropertyFields: TemplateFields {
  let propertyName, propertyValue: String
  let propertyIsChosen: Bool
}
