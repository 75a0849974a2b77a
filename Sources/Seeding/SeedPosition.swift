import Texts

/// A position in a seed: its file, entity, record and key.
///
/// Records are counted from 1 within their entity's list, lines and columns from 1 within the file.
public struct SeedPosition: Hashable, Sendable, CustomStringConvertible {
  /// The file as it was given, the resource's name, or the name given to data.
  public var file: String

  /// The line, where one is known.
  public var line: Int?

  /// The column in characters, known for text that does not parse.
  public var column: Int?

  /// The name of the entity, or the seed's own name for it if the model does not have the entity.
  public var entity: String?

  /// The number of the record within its entity's list, from 1.
  public var record: Int?

  /// The key within the record, with dots between the keys of objects within it.
  public var key: String?

  /// Creates the position of a whole file.
  public init(file: String) { self.file = file }

  /// Creates the position of a line.
  init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// `notes/seed.json:12: Note record 3, key "category"`, as far as each part is known.
  public var description: String {
    var text = file
    if let line { text += ":\(line)" }
    if let column { text += ":\(column)" }
    let inner = [
      entity.map(\.abbreviated).map { name in record.map { "\(name) record \($0)" } ?? name },
      key.map { "key \"\($0.abbreviated)\"" },
    ].compactMap { $0 }
    return inner.isEmpty ? text : text + ": " + inner.joined(separator: ", ")
  }

  /// A key within the record, or within the object under this position's key.
  func with(key: String) -> SeedPosition {
    var position = self
    position.key = self.key.map { "\($0).\(key)" } ?? key
    return position
  }

  /// The list that the record is in.
  var withoutRecord: SeedPosition {
    var position = self
    position.record = nil
    return position
  }
}
