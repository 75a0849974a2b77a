import CoreData
import Foundation
import ModelFormats
import Texts

/// A value that a seed does not spell, but says how to find: `{"$file": "photos/pasta.jpg"}`,
/// `{"$now": "-3d"}` or `{"$expression": "firstName + ' ' + lastName"}`.
enum ComputedValue {
  /// The bytes of a file, with their SHA-256 where it is given.
  case file(String, sha256: String?)
  case now(String)
  case expression(String)

  static let fileKey = "$file"
  static let checksumKey = "$sha256"
  static let nowKey = "$now"
  static let expressionKey = "$expression"

  private static let keys = [fileKey, nowKey, expressionKey]

  /// Nil for a literal value.
  init?(_ value: SeedValue) throws(AttributeConversion.Failure) {
    guard case .object(let fields) = value, let field = fields.first(where: { Self.keys.contains($0.key) })
    else { return nil }
    let others = fields.filter { $0.key != field.key && !(field.key == Self.fileKey && $0.key == Self.checksumKey) }
    guard others.isEmpty else {
      throw AttributeConversion.Failure(
        problem: "\(field.key) has the other key \"\(others[0].key.abbreviated)\" besides",
        remedy: "leave it alone in its object"
      )
    }
    let text = try Self.text(of: field)
    switch field.key {
    case Self.fileKey:
      let checksum = fields.first { $0.key == Self.checksumKey }
      self = .file(text, sha256: try checksum.map(Self.text(of:))?.lowercased())
    case Self.nowKey: self = .now(text)
    default: self = .expression(text)
    }
  }

  private static func text(of field: SeedField) throws(AttributeConversion.Failure) -> String {
    switch field.value {
    case .string(let text): return text
    case .text(let text): return text.trimmingCharacters(in: .whitespaces)
    default:
      throw AttributeConversion.Failure(
        problem: "\(field.value.kind) stands under \(field.key)",
        remedy: "give a string"
      )
    }
  }
}

/// The sources from which the values of a run are computed.
struct ComputedValues {
  /// The moment that relative dates count from.
  let now: Date
  /// The files next to the seed that is being read.
  var files = SeedFiles.nowhere
  /// The fields of the record that is planned, and its entity.
  var record: (fields: [SeedField], shape: EntityShape)?
  /// The number of bytes of the files that were read.
  let usage = FileUsage()
  private let expressions = ExpressionCache()

  init(now: Date) { self.now = now }

  /// The result of a computed value, as a seed would spell it. A literal value is returned unchanged.
  func value(
    _ value: SeedValue,
    for attribute: NSAttributeDescription,
    isTransformed: Bool
  ) throws(AttributeConversion.Failure) -> SeedValue {
    guard case .object(let fields) = value else { return value }
    switch attribute.attributeType {
    // Objects are values of such an attribute themselves.
    case .transformableAttributeType where !isTransformed: return value
    case .compositeAttributeType:
      let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
      var computed: [SeedField] = []
      for field in fields {
        let element = elements.first { $0.name == field.key }
        let value = try element.map { element throws(AttributeConversion.Failure) in
          try self.value(field.value, for: element, isTransformed: false)
        }
        computed.append(SeedField(key: field.key, value: value ?? field.value))
      }
      return .object(computed)
    default: break
    }
    switch try ComputedValue(value) {
    case nil: return value
    case .file(let path, let checksum):
      return try contents(of: path, checksum: checksum, for: attribute, isTransformed: isTransformed)
    case .now(let words):
      guard attribute.attributeType == .dateAttributeType || isTransformed else {
        throw AttributeConversion.mismatch(value, attribute.typeWords, "\(ComputedValue.nowKey) to dates alone")
      }
      return .date(try RelativeDate(words).date(from: now))
    case .expression(let text): return try self.value(of: text)
    }
  }

  /// The value of an expression over the record's other keys.
  func value(of expression: String) throws(AttributeConversion.Failure) -> SeedValue {
    guard let record else { return .null }
    let scope = ExpressionScope(fields: record.fields, shape: record.shape, largestText: files.limits.largestRecord)
    return try expressions.expression(expression).value(in: scope)
  }

  private func contents(
    of path: String,
    checksum: String?,
    for attribute: NSAttributeDescription,
    isTransformed: Bool
  ) throws(AttributeConversion.Failure) -> SeedValue {
    let isText = attribute.attributeType == .stringAttributeType && !isTransformed
    guard isText || isTransformed || attribute.attributeType == .binaryDataAttributeType else {
      throw AttributeConversion.Failure(
        problem: "\(ComputedValue.fileKey) is not a value for the type \(attribute.typeWords)",
        remedy: "give it to Binary Data and strings alone"
      )
    }
    let data = try files.contents(of: path, sha256: checksum)
    usage.bytes += data.count
    guard isText else { return .data(data) }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw AttributeConversion.Failure(
        problem: "the file \"\(path.abbreviated)\" is not valid UTF-8",
        remedy: "give a text file, or make the attribute one of Binary Data"
      )
    }
    return .string(text)
  }
}

/// Counts the bytes of files. Used by one thread at a time.
final class FileUsage {
  var bytes = 0
}

extension NSAttributeDescription {
  /// The type, as the model editor calls it.
  var typeWords: String {
    let kind = AttributeKind(attributeType)
    return switch kind.storage {
    case .composite: "composite attribute"
    case .none: "of the attribute"
    default: kind.title
    }
  }
}
