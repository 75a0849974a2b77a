/// The number of an entity's objects.
struct CountFields: TemplateFields {
  let countEntity, countNumber: String
}
