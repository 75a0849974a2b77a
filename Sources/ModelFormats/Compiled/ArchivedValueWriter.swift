import Foundation
import PropertyLists

extension KeyedArchiveWriter {
  /// Adds a value of an attribute or a constant as Foundation archives it; `nil` is nothing.
  mutating func value(_ value: ModelDocument.Value?) -> Int {
    switch value {
    case nil: 0
    case .boolean(let value): boolean(value)
    case .integer(let value): integer(value)
    case .double(let value): real(value)
    case .string(let value): string(value)
    case .date(let value): object(.date, [("NS.time", .real(value.timeIntervalSinceReferenceDate))])
    case .uuid(let value):
      object(.uuid, [("NS.uuidbytes", .data(withUnsafeBytes(of: value.uuid) { Data($0) }))])
    case .uri(let value):
      object(.url, [("NS.base", .uid(0)), ("NS.relative", .uid(string(value.absoluteString)))])
    case .decimal(let value): object(.decimalNumber, ArchivedDecimal.fields(of: value))
    }
  }
}
