import PropertyLists

/// The parts of a model file that Apple's archives have no key for, as texts by the names of the XML attributes.
///
/// They are archived next to Apple's keys, under a key of our own that Apple's framework ignores.
struct ArchivedDetails {
  static let key = "PerennialDetails"
  /// The configurations that are stored in CloudKit, because sets of entities cannot have details.
  static let cloudConfigurationsKey = "PerennialCloudConfigurations"

  private var entries: [(key: String, text: String)] = []

  /// Takes the XML attributes of some names as the part would be written, and those that are unknown.
  init<Part: ContentsPart>(part: Part, names: Set<String>) {
    for field in Part.fields where names.contains(field.name) {
      if let text = field.write(part) { entries.append((field.name, text)) }
    }
    for (name, text) in part.unknown.attributes.sorted(by: { $0.key < $1.key }) {
      entries.append((name, text))
    }
  }

  mutating func append(_ name: String, text: String?) {
    if let text { entries.append((name, text)) }
  }

  /// The field to archive; empty if there are no details.
  func fields(in writer: inout KeyedArchiveWriter) -> [KeyedArchiveWriter.Field] {
    if entries.isEmpty { return [] }
    let texts = entries.map { (key: $0.key, uid: writer.string($0.text)) }
    return [(Self.key, .uid(writer.dictionary(.dictionary, texts)))]
  }
}

extension ContentsPart {
  /// Reads the archived texts of the part that are next to Apple's keys.
  ///
  /// - Throws: `ModelFileError` if a text is not a valid value of its attribute.
  mutating func readDetails(_ archived: ArchivedInstance, in place: String) throws(ModelFileError) {
    for (name, uid) in try archived.instance(ArchivedDetails.key)?.entries() ?? [] {
      guard let text = try archived.archive.text(uid) else { continue }
      guard let field = Self.fields.first(where: { $0.name == name }) else {
        unknown.attributes[name] = text
        continue
      }
      if !field.read(&self, text) {
        throw archived.archive.error(
          place,
          problem: "the detail \(name) is \"\(text)\" and should be \(field.expectation)"
        )
      }
    }
  }
}
