/// Writes generated values as JSON, without spaces.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(1 << 16) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func write(raw text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func write(_ value: GeneratedValue) {
    switch value {
    case .null: write(raw: "null")
    case .bool(let truth): truth ? write(raw: "true") : write(raw: "false")
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .real(let number): bytes.append(contentsOf: Self.digits(number).utf8)
    case .text(let text): write(text)
    case .list(let values):
      write(raw: "[")
      for (index, value) in values.enumerated() {
        if index > 0 { write(raw: ",") }
        write(value)
      }
      write(raw: "]")
    case .fields(let fields): write(fields)
    }
  }

  mutating func write(_ fields: [GeneratedValue.Field]) {
    write(raw: "{")
    for (index, field) in fields.enumerated() {
      if index > 0 { write(raw: ",") }
      write(field.key)
      write(raw: ":")
      write(field.value)
    }
    write(raw: "}")
  }

  mutating func write(_ text: String) {
    write(raw: "\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write(raw: "\\\"")
      case UInt8(ascii: "\\"): write(raw: "\\\\")
      case 0..<0x20:
        write(raw: "\\u00")
        bytes.append(Self.hexadecimal[Int(byte >> 4)])
        bytes.append(Self.hexadecimal[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    write(raw: "\"")
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)

  private static func digits(_ number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? "\(number)"
  }
}
