import Foundation

/// A database in memory, for a SQLite store at `/dev/null`.
///
/// Each store at `/dev/null` has a database of its own. Stores at an address below, `/dev/null/Name`, share one as long
/// as one of them is open: Apple's session "Making Apps with Core Data" of 2019, and the templates of Xcode.
struct SQLiteMemory {
  /// The name by which SQLite opens the database: all connections of the process that name it see the same one.
  let address: String

  /// - Returns: `nil` for the address of a file.
  init?(_ store: URL) {
    guard Self.isMeant(by: store) else { return nil }
    let name = Self.name(of: store) ?? UUID().uuidString
    guard let name = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { return nil }
    address = "file:/CoreData-\(name)?vfs=memdb"
  }

  /// True when a store at an address is kept in memory.
  static func isMeant(by store: URL) -> Bool { StoreFile(store).isNowhere }

  private static let root = StoreFile.nowhere.path

  private static func name(of store: URL) -> String? {
    store.path == root ? nil : String(store.path.dropFirst(root.count + 1))
  }
}
