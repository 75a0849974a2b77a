import Foundation

extension ModelDocument.Value {
  /// The value that an instance has for a key, or `nil` when there is none, or none that a model file can say.
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
      guard let decimal = try Self.decimal(object) else { return nil }
      self = .decimal(decimal)
    default:
      guard let text = try object.text() else { return nil }
      self = .string(text)
    }
  }

  /// A decimal: digits of 16 bits, the least significant first, and a power of ten.
  private static func decimal(_ object: ArchivedInstance) throws(ModelFileError) -> Decimal? {
    guard case .data(let mantissa)? = try object.value("NS.mantissa"), mantissa.count == 16,
      let exponent = try object.integer("NS.exponent"), (-128...127).contains(exponent),
      let length = try object.integer("NS.length"), (0...8).contains(length)
    else { return nil }
    let isBigEndian = try object.integer("NS.mantissa.bo") == 2
    let bytes = [UInt8](mantissa)
    var value = Decimal(0)
    for index in (0..<Int(length)).reversed() {
      let (first, second) = (bytes[index * 2], bytes[index * 2 + 1])
      let digit = isBigEndian ? Int(first) << 8 | Int(second) : Int(second) << 8 | Int(first)
      value = value * 65_536 + Decimal(digit)
    }
    let isNegative = try object.boolean("NS.negative")
    return Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: value)
  }
}
