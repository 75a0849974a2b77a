/// A part of a composite value.
struct ElementFields: TemplateFields {
  let elementName: String
  let elementValue: EscapedText
}
