import Foundation

/// A setting of SQLite that a program asks for with `NSSQLitePragmasOption`.
struct SQLitePragma {
  let name: String
  let value: String

  /// True when the pragma is only for connections that write.
  var isForWriters: Bool {
    [
      "journal_mode", "auto_vacuum", "page_size", "journal_size_limit", "encoding", "user_version",
      "application_id",
    ]
    .contains(name.lowercased())
  }

  /// - Throws: an error that names the option, when it is not a dictionary of names and values.
  static func pragmas(in options: [AnyHashable: Any]?, file: URL) throws -> [SQLitePragma] {
    guard let option = options?[NSSQLitePragmasOption] else { return [] }
    guard let dictionary = option as? [AnyHashable: Any] else {
      throw wrong("it must be a dictionary of names and values", file: file)
    }
    return try dictionary.map { key, value in
      let pragma = SQLitePragma(name: "\(key.base)", value: "\(value)")
      // They become part of the statement's text, because PRAGMA statements have no placeholders.
      guard pragma.name.utf8.allSatisfy({ isWord($0) }), !pragma.name.isEmpty,
        pragma.value.utf8.allSatisfy({ isWord($0) || $0 == UInt8(ascii: "-") }), !pragma.value.isEmpty
      else { throw wrong("\(pragma.name) = \(pragma.value) is not a pragma", file: file) }
      return pragma
    }.sorted { $0.name < $1.name }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func wrong(_ what: String, file: URL) -> any Error {
    StoreFailure.open("\(file.path): NSSQLitePragmasOption: \(what).", file: file)
  }
}
