import Foundation
import PropertyLists

extension ModelDocument.Value {
  /// The value that an instance has for a key; `nil` without a value, or for a value that a model file cannot express.
  init?(_ instance: ArchivedInstance, key: String) throws(ModelFileError) {
    if let object = try instance.instance(key) {
      try self.init(object)
    } else if let plain = try instance.value(key) {
      self.init(plain)
    } else {
      return nil
    }
  }

  /// The value of the number of an archived object.
  init?(uid: Int, archive: KeyedArchive) throws(ModelFileError) {
    if let object = try archive.instance(uid) {
      try self.init(object)
    } else {
      self.init(try archive.object(uid))
    }
  }

  private init?(_ object: BinaryPropertyList.Object) {
    switch object {
    case .boolean(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .double(value)
    case .date(let value): self = .date(value)
    case .string(let value) where value != "$null": self = .string(value)
    default: return nil
    }
  }

  private init?(_ object: ArchivedInstance) throws(ModelFileError) {
    switch object.className {
    case "NSDate":
      guard case .real(let seconds)? = try object.value("NS.time"), seconds.isFinite else { return nil }
      self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case "NSUUID":
      guard case .data(let data)? = try object.value("NS.uuidbytes"), data.count == 16 else { return nil }
      var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      _ = withUnsafeMutableBytes(of: &bytes) { data.copyBytes(to: $0) }
      self = .uuid(UUID(uuid: bytes))
    case "NSURL":
      let base = try object.string("NS.base").flatMap { URL(string: $0) }
      guard let relative = try object.string("NS.relative"), let url = URL(string: relative, relativeTo: base)
      else { return nil }
      self = .uri(url.absoluteURL)
    case "NSDecimalNumber":
      guard let decimal = try ArchivedDecimal.value(of: object) else { return nil }
      self = .decimal(decimal)
    default:
      guard let text = try object.text() else { return nil }
      self = .string(text)
    }
  }
}

extension KeyedArchiveWriter {
  /// Adds a value of an attribute or a constant as Foundation archives it; `nil` is a missing value.
  mutating func value(_ value: ModelDocument.Value?) -> Int {
    switch value {
    case nil: 0
    case .boolean(let value): boolean(value)
    case .integer(let value): integer(value)
    case .double(let value): real(value)
    case .string(let value): string(value)
    case .date(let value): object(.date, fields: [("NS.time", .real(value.timeIntervalSinceReferenceDate))])
    case .uuid(let value):
      object(.uuid, fields: [("NS.uuidbytes", .data(withUnsafeBytes(of: value.uuid) { Data($0) }))])
    case .uri(let value):
      object(.url, fields: [("NS.base", .uid(0)), ("NS.relative", .uid(string(value.absoluteString)))])
    case .decimal(let value): object(.decimalNumber, fields: ArchivedDecimal.fields(of: value))
    }
  }
}
