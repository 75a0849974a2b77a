/// Objects that would lose a reference.
struct ReleasedFields: TemplateFields {
  let releasedCount, releasedRelationship: String
  let isDangling, breaksRequirement: Bool
}
