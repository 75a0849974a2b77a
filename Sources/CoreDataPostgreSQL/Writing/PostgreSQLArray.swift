#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The values of one column of many rows, as one array that a statement binds and unnests.
  struct PostgreSQLArray {
    /// The type of the elements, as a statement names it.
    let type: String
    /// The elements, as long as all of them are numbers of a type that has a binary form here.
    private var numbers: PostgreSQLNumberArray?
    /// The elements otherwise.
    private var content = ""
    private(set) var count = 0

    init(type: String) {
      self.type = type
      numbers = PostgreSQLNumberArray(type: type)
    }

    init(integers: some Sequence<Int64>, type: String = "bigint") {
      self.init(type: type)
      for value in integers { append(.integer(value)) }
    }

    /// Adds the value of the next row.
    mutating func append(_ value: SQLValue) {
      if let isAppended = numbers?.append(value) {
        if isAppended {
          count += 1
          return
        }
        // The server reports a value that does not have the type.
        content = text
        content.removeFirst()
        content.removeLast()
        numbers = nil
      }
      appendText(value)
    }

    private mutating func appendText(_ value: SQLValue) {
      if count > 0 { content += "," }
      count += 1
      switch value {
      case .null: content += "NULL"
      case .integer(let value): content += String(value)
      case .real(let value): content += Self.text(value)
      case .text(let value): appendQuoted(value)
      case .blob(let value): appendHexadecimal(value)
      }
    }

    /// The array as the server reads it as text.
    var text: String {
      guard let numbers else { return "{\(content)}" }
      var array = Self(type: type)
      for value in numbers.values { array.appendText(value) }
      return "{\(array.content)}"
    }

    /// The value that is bound.
    var value: PostgreSQLValue { numbers.map { .bytes($0.data) } ?? .text(text) }

    private static func text(_ value: Double) -> String {
      if value.isNaN { return "NaN" }
      if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
      return value.description
    }

    private mutating func appendQuoted(_ value: String) {
      content += "\""
      if value.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
        for scalar in value.unicodeScalars {
          if scalar == "\"" || scalar == "\\" { content += "\\" }
          content.unicodeScalars.append(scalar)
        }
      } else {
        content += value
      }
      content += "\""
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func appendHexadecimal(_ data: Data) {
      content += "\"\\\\x"
      content += String(unsafeUninitializedCapacity: 2 * data.count) { buffer in
        var place = 0
        for byte in data {
          buffer[place] = Self.digits[Int(byte >> 4)]
          buffer[place + 1] = Self.digits[Int(byte & 15)]
          place += 2
        }
        return place
      }
      content += "\""
    }
  }
#endif
