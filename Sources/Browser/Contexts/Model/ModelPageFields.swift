/// The page of the model.
struct ModelPageFields: PageFields {
  static let template = "model"
  let differenceAddress: String
  let versions, otherModel: String?
  let contents: [ContentsFields]
  let entities: [ModelEntityFields]
}
