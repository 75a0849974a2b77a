/// A property of an object in both stores.
struct ComparedPropertyFields: TemplateFields {
  let propertyName: String
  let here, there: String?
  let looksAlike: Bool
}
