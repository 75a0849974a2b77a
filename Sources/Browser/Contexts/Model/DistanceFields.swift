/// A distance of an entity's neighbors.
struct DistanceFields: TemplateFields {
  let distance: String
  let distanceIsCurrent: Bool
}
