/// A value that the import of a seed would change.
struct SeedValueFields: TemplateFields {
  let valueName, valuePresent, valueNew: String
}
