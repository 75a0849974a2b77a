/// The page of the changes from the store's model to another model.
struct ModelDifferencePageFields: PageFields {
  static let template = "modeldifference"
  let otherName, modelAddress, verdict: String
  let leftOut: String?
  let hashes: [HashFields]
  let groups: [ModelGroupFields]
  let counts: [String]
}
