/// The numbers of an entity's objects in a seed.
struct SeedCountFields: TemplateFields {
  let countEntity, countInserted, countUpdated, countUnchanged: String
}
