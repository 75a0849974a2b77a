package import Foundation

/// A type of values that SQLite keeps.
package protocol DatabaseValueConvertible {
  /// - Returns: `nil` for null, and for a value of another type.
  init?(databaseValue: DatabaseValue)

  var databaseValue: DatabaseValue { get }
}

extension DatabaseValue: DatabaseValueConvertible {
  package init?(databaseValue: DatabaseValue) { self = databaseValue }
  package var databaseValue: DatabaseValue { self }
}

extension Int64: DatabaseValueConvertible {
  /// A floating-point number without a fraction counts.
  package init?(databaseValue: DatabaseValue) {
    switch databaseValue {
    case .integer(let value): self = value
    case .real(let value):
      guard let whole = Int64(exactly: value) else { return nil }
      self = whole
    case .null, .text, .blob: return nil
    }
  }

  package var databaseValue: DatabaseValue { .integer(self) }
}

extension Int: DatabaseValueConvertible {
  package init?(databaseValue: DatabaseValue) {
    guard let value = Int64(databaseValue: databaseValue) else { return nil }
    self.init(exactly: value)
  }

  package var databaseValue: DatabaseValue { .integer(Int64(self)) }
}

extension Bool: DatabaseValueConvertible {
  package init?(databaseValue: DatabaseValue) {
    switch databaseValue {
    case .integer(let value): self = value != 0
    case .real(let value): self = value != 0
    case .null, .text, .blob: return nil
    }
  }

  package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
}

extension Double: DatabaseValueConvertible {
  package init?(databaseValue: DatabaseValue) {
    switch databaseValue {
    case .integer(let value): self = Double(value)
    case .real(let value): self = value
    case .null, .text, .blob: return nil
    }
  }

  package var databaseValue: DatabaseValue { .real(self) }
}

extension String: DatabaseValueConvertible {
  /// Data that are UTF-8 count.
  package init?(databaseValue: DatabaseValue) {
    switch databaseValue {
    case .text(let text): self = text
    case .blob(let data): self.init(data: data, encoding: .utf8)
    case .null, .integer, .real: return nil
    }
  }

  package var databaseValue: DatabaseValue { .text(self) }
}

extension Data: DatabaseValueConvertible {
  /// The bytes of a text count.
  package init?(databaseValue: DatabaseValue) {
    switch databaseValue {
    case .blob(let data): self = data
    case .text(let text): self = Data(text.utf8)
    case .null, .integer, .real: return nil
    }
  }

  package var databaseValue: DatabaseValue { .blob(self) }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
  package init?(databaseValue: DatabaseValue) {
    if databaseValue == .null {
      self = .none
      return
    }
    guard let value = Wrapped(databaseValue: databaseValue) else { return nil }
    self = .some(value)
  }

  package var databaseValue: DatabaseValue { self?.databaseValue ?? .null }
}
