/// A complete value. Its markup is a part of an object's page.
struct ValueFields: TemplateContext {
  static let template = "value"
  let imageName: String
  var link, line, block, kind, image, imagePage, dump, size, download, rest: String?
  var isNone = false
  var elements: [ElementFields] = []
}
