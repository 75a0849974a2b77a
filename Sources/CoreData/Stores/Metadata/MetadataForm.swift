import Foundation
import PropertyLists

/// The form in which a type of store keeps its metadata as a property list.
///
/// Foundation writes some values that it cannot read again, or reads as other values: a text with control characters or
/// a year of five digits in XML, deeply nested containers, unsigned numbers. A store with such metadata could never be
/// opened again, so the written bytes are read before they are stored.
struct MetadataForm {
  /// The bytes of values.
  let write: ([String: Any]) throws -> Data
  /// True when dates lose fractions of seconds, as Foundation's property lists in XML have none.
  let hasWholeSeconds: Bool

  /// Containers may be nested so deep: readers and writers of lists recurse into them.
  static let deepest = 128

  /// The bytes of metadata. Reading them returns the same metadata.
  ///
  /// - Parameter store: the store, for the error.
  /// - Throws: an error that names the keys whose values would not be kept.
  func data(of properties: [String: Any], store: URL?) throws -> Data {
    var cause: (any Error)?
    do {
      if let data = try kept(properties) { return data }
    } catch {
      cause = error
    }
    let wrong = properties.keys.sorted().filter { key in
      (try? kept(properties.filter { $0.key == key })) == nil
    }
    throw StoreFailure.save(
      """
      \(store.map { "\($0.path): " } ?? "")the metadata under \(wrong.joined(separator: ", ")) cannot be kept, since the \
      property list of this type of store cannot hold them; use text without control characters, numbers, dates of \
      calendars, data, arrays and dictionaries, nested at most \(Self.deepest) deep.
      """,
      file: store,
      details: cause.map { [NSUnderlyingErrorKey: $0] } ?? [:]
    )
  }

  /// - Returns: `nil` for values that would not be read again as they are.
  private func kept(_ properties: [String: Any]) throws -> Data? {
    guard Self.isShallow(properties) else { return nil }
    let data = try write(properties)
    let isSame = data.withUnsafeBytes { bytes in
      (try? CheckedPropertyList.read(SharedBytes(borrowing: bytes))).map { isKept(properties, as: $0) }
    }
    return isSame == true ? data : nil
  }

  /// It works level by level, because the list may be too deep for recursion.
  private static func isShallow(_ properties: [String: Any]) -> Bool {
    var level = Array(properties.values)
    for _ in 0..<deepest where !level.isEmpty {
      level = level.flatMap { value -> [Any] in
        switch value {
        case let elements as [Any]: elements
        case let entries as [AnyHashable: Any]: Array(entries.values)
        default: []
        }
      }
    }
    return level.isEmpty
  }

  /// True when the value that was read equals the given one.
  private func isKept(_ given: Any, as read: Any?) -> Bool {
    guard let read else { return false }
    switch (given, read) {
    case (let given as String, let read as String): return given.utf8.elementsEqual(read.utf8)
    case (let given as Data, let read as Data): return given == read
    case (let given as Date, let read as Date): return isKept(given, as: read)
    case (let given as [Any], let read as [Any]):
      return given.count == read.count && zip(given, read).allSatisfy { isKept($0, as: $1) }
    case (let given as [AnyHashable: Any], let read as [AnyHashable: Any]):
      return given.count == read.count && given.allSatisfy { isKept($1, as: read[$0]) }
    case (let given as NSNumber, let read as NSNumber): return Self.isKept(given, as: read)
    default: return false
    }
  }

  private func isKept(_ given: Date, as read: Date) -> Bool {
    let (one, other) = (given.timeIntervalSinceReferenceDate, read.timeIntervalSinceReferenceDate)
    if one == other || (one.isNaN && other.isNaN) { return true }
    return hasWholeSeconds && abs(one - other) < 1
  }

  private static func isKept(_ given: NSNumber, as read: NSNumber) -> Bool {
    if given.isEqual(read) || (given.doubleValue.isNaN && read.doubleValue.isNaN) { return true }
    // Lists keep decimal numbers as binary ones.
    return given is NSDecimalNumber && given.doubleValue == read.doubleValue
  }
}

extension MetadataForm {
  /// The binary property list of a database, whose bytes are the same for equal metadata.
  static var sorted: MetadataForm {
    MetadataForm(write: { try SortedPropertyList.data($0) }, hasWholeSeconds: false)
  }

  /// A binary property list as Foundation writes it.
  static var binary: MetadataForm {
    MetadataForm(
      write: { try PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0) },
      hasWholeSeconds: false
    )
  }
}
