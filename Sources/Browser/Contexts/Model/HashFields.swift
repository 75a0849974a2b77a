/// The version hashes of an entity in two models.
struct HashFields: TemplateFields {
  let hashEntity: String
  let ownHash, otherHash: String?
}
