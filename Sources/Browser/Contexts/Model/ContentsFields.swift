/// An entity in the contents of the model's page.
struct ContentsFields: TemplateFields {
  let contentsName, contentsAddress: String
}
