/// A uniqueness constraint that the page of duplicates offers.
struct ConstraintFields: TemplateFields {
  let constraintWords, constraintAddress: String
  let constraintIsCurrent: Bool
}
