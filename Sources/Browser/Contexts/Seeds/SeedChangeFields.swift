/// A change that the import of a seed would make.
struct SeedChangeFields: TemplateFields {
  let changeKind, changeEntity, changeName: String
  let changeValues: [SeedValueFields]
}
