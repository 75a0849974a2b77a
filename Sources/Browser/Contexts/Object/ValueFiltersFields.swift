/// The links from a value to the objects with it and to the other objects.
struct ValueFiltersFields: TemplateFields {
  let onlyAddress, withoutAddress: String
}
