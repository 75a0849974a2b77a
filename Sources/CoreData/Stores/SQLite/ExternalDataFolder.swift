import Foundation

/// The files beside a store that hold its large binary values.
///
/// An attribute that allows external storage has a mark before its data: 1 for data that follow, 2 for the name of
/// a file (seen in Apple-made stores). Small values stay in the database.
struct ExternalDataFolder: Sendable {
  /// Values of more bytes get a file of their own.
  static let largestInlineCount = 128 * 1024

  private static let inlineMark: UInt8 = 1
  private static let externalMark: UInt8 = 2
  /// The mark, a UUID and a zero.
  private static let nameCount = 38

  /// `.Name_SUPPORT` beside `Name.sqlite`.
  let support: URL
  let folder: URL
  /// Whether there is no such folder, and all values stay in the database: it is one in memory.
  private let isInMemory: Bool

  init(store: URL) {
    isInMemory = SQLiteMemory.isMeant(by: store)
    let name = store.deletingPathExtension().lastPathComponent
    support = store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
    folder = support.appendingPathComponent("_EXTERNAL_DATA")
  }

  /// The value that a column's bytes stand for.
  ///
  /// - Throws: Foundation's error when the file is gone or cannot be read.
  func value(_ bytes: UnsafeRawBufferPointer) throws -> Data {
    switch bytes.first {
    case Self.inlineMark: return Data(bytes.dropFirst())
    case Self.externalMark:
      guard let name = Self.fileName(bytes) else { return Data(bytes) }
      return try Data(contentsOf: folder.appendingPathComponent(name))
    default: return Data(bytes)
    }
  }

  /// The name of the file that a column's bytes refer to.
  static func fileName(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count == nameCount, bytes[0] == externalMark, bytes[nameCount - 1] == 0 else { return nil }
    let name = String(decoding: bytes[1..<nameCount - 1], as: UTF8.self)
    // Never a path: the bytes come from a file that anybody may have made.
    return UUID(uuidString: name) == nil ? nil : name
  }

  /// The bytes that a column keeps of a value that stays in the database.
  static func inline(_ value: Data) -> Data { Data([inlineMark]) + value }

  /// The bytes that a column keeps of a value. A large value is written to a new file first.
  ///
  /// - Returns: the bytes, and the file that was made.
  func store(_ value: Data) throws -> (bytes: Data, file: URL?) {
    guard value.count > Self.largestInlineCount, !isInMemory else { return (Self.inline(value), nil) }
    let name = UUID().uuidString
    let file = folder.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try value.write(to: file, options: .atomic)
    } catch {
      throw StoreFailure.error(
        (error as? CocoaError)?.code.rawValue ?? CocoaError.fileWriteUnknown.rawValue,
        """
        The save failed: \(value.count) bytes of large data cannot be written to \(file.path): \
        \(error.localizedDescription) Make room, or make the folder writable; nothing was changed.
        """,
        file: file,
        details: [NSUnderlyingErrorKey: error]
      )
    }
    return (Data([Self.externalMark]) + Data(name.utf8) + Data([0]), file)
  }

  /// The names of the files that are there, in order.
  var names: [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { UUID(uuidString: $0) != nil }.sorted()
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  /// Removes files that no row refers to. One that cannot be removed stays, and harms nobody.
  func remove(_ names: [String]) {
    for name in names { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
  }
}
