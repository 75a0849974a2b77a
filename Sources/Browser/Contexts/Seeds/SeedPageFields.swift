/// The pages of a seed's import: the form, the preview and the result.
struct SeedPageFields: PageFields {
  static let template = "seed"
  var seedText, action, problem, seedAddress, untold: String?
  var isPasted = false, isPreview = false, isDone = false
  var changedObjects: [SeedChangeFields] = []
  var counts: [SeedCountFields] = []
}
