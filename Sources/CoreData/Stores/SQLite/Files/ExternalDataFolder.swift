import Files
import Foundation

/// The files next to a store that contain its large binary values.
///
/// An attribute that allows external storage has a mark before its data: 1 for data that follow, 2
/// for the name of a file (seen in Apple-made stores). Small values stay in the database.
///
/// A file name is never reused, and a file is never written again: it is synced to the disk before a row that
/// names it is committed, and removed when no state of the database can name it any more
/// (``SQLiteConnections/release(_:_:)``). Symbolic links are not followed, neither to a file nor to the folder
/// itself, because a store from elsewhere must not lead to other programs' files.
struct ExternalDataFolder: Sendable {
  /// Larger values are stored in a file of their own.
  static let largestInlineCount = 128 * 1024

  private static let inlineMark: UInt8 = 1
  private static let externalMark: UInt8 = 2
  /// The mark, a UUID and a zero.
  private static let nameCount = 38
  private static let folderName = "_EXTERNAL_DATA"

  /// The store's file.
  let store: URL
  /// `.Name_SUPPORT` in the folder of `Name.sqlite`.
  let support: URL
  let folder: URL
  /// True for a database in memory, which has no such folder: all values stay in the database.
  private let isInMemory: Bool

  init(store: URL) {
    isInMemory = SQLiteMemory.isMeant(by: store)
    // If the path is a symbolic link, SQLite keeps its log next to the link's target, and the store keeps the
    // files of large data there too.
    self.store = !isInMemory && FileKind(at: store.path) == .link ? store.resolvingSymlinksInPath() : store
    let name = self.store.deletingPathExtension().lastPathComponent
    support = self.store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
    folder = support.appendingPathComponent(Self.folderName)
  }

  // MARK: - Columns

  /// The value that a column's bytes encode.
  ///
  /// - Throws: an error that names the file, when it is gone or cannot be read.
  func value(_ bytes: UnsafeRawBufferPointer) throws -> Data {
    switch bytes.first {
    case Self.inlineMark: return Data(bytes.dropFirst())
    case Self.externalMark:
      guard let name = Self.fileName(bytes) else { return Data(bytes) }
      return try read(name)
    default: return Data(bytes)
    }
  }

  /// The name of the file that a column's bytes refer to.
  static func fileName(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count == nameCount, bytes[0] == externalMark, bytes[nameCount - 1] == 0 else { return nil }
    let name = String(decoding: bytes[1..<nameCount - 1], as: UTF8.self)
    // The name must not be a path, because the bytes come from a file that any program may have written.
    return isName(name) ? name : nil
  }

  static func isName(_ name: String) -> Bool { UUID(uuidString: name) != nil }

  /// The bytes that a column keeps of a value that stays in the database.
  static func inline(_ value: Data) -> Data { Data([inlineMark]) + value }

  /// The bytes that a column keeps of a value. A large value is written to a new file first, which
  /// is on the disk when this returns; its name is after ``synchronize()``.
  ///
  /// - Parameter marker: the marker of the transaction, which is created before its first file.
  /// - Returns: the bytes, and the name of the file that was made.
  func store(_ value: Data, marker: inout ExternalDataMarker?) throws -> (bytes: Data, name: String?) {
    guard value.count > Self.largestInlineCount, !isInMemory else { return (Self.inline(value), nil) }
    let name = ExternalDataNames.name(for: value, isInUse: exists)
    do {
      let permissions = self.permissions
      try note(name, by: &marker, permissions: permissions)
      let folder = try open(creatingWith: permissions)
      do {
        let file = try folder.entry(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: permissions?.ofFile ?? 0o666)
        try permissions?.limit(file)
        try file.write(value)
        try file.synchronize()
      } catch {
        unlinkat(folder.number, name, 0)
        throw error
      }
    } catch {
      throw unwritable(name, count: value.count, error: error)
    }
    return (Data([Self.externalMark]) + Data(name.utf8) + Data([0]), name)
  }

  /// Waits until the names of the files that were made are on the disk: before the rows that name them are committed.
  func synchronize() throws {
    do {
      try open().synchronize()
    } catch {
      throw unwritable(nil, count: 0, error: error)
    }
  }

  // MARK: - Files

  /// The names of the files that are there, in order; none when the folder cannot be read.
  var names: [String] { (try? readNames()) ?? [] }

  /// The names of the files that are there, in order.
  ///
  /// - Throws: an error when there is a folder that cannot be read: its files are not known then,
  ///   and a copy without them would not be whole.
  func readNames() throws -> [String] {
    do {
      let folder = try open()
      let all = try FileManager.default.contentsOfDirectory(atPath: self.folder.path)
      return all.filter { Self.isName($0) && Self.isFile($0, in: folder) }.sorted()
    } catch let failure as FileFailure where [ENOENT, ELOOP, ENOTDIR].contains(failure.code) {
      // A link in its place leads to files that are not the store's.
      return []
    } catch {
      throw StoreFailure.error(
        (error as? FileFailure)?.cocoaCode(writing: false) ?? CocoaError.fileReadUnknown.rawValue,
        message: """
          the folder \(folder.path) of the store's large values cannot be read: \(error.localizedDescription). Make it \
          readable.
          """,
        file: folder
      )
    }
  }

  /// True when there is a regular file with the name.
  func exists(_ name: String) -> Bool {
    guard let folder = try? open() else { return false }
    return Self.isFile(name, in: folder)
  }

  /// Those of some names that files have.
  ///
  /// - Throws: a `FileFailure` when there is a folder that cannot be opened.
  func present(_ names: Set<String>) throws -> Set<String> {
    do {
      let folder = try open()
      return names.filter { Self.isFile($0, in: folder) }
    } catch let failure as FileFailure where failure.code == ENOENT {
      return []
    }
  }

  /// Removes files that no row refers to. A file that cannot be removed stays and does no harm.
  func remove(_ names: [String]) {
    guard !names.isEmpty, let folder = try? open() else { return }
    for name in names where Self.isFile(name, in: folder) { unlinkat(folder.number, name, 0) }
  }

  /// Removes all files, and the folder if it is then empty. A folder that another store also uses stays.
  func removeAll() {
    guard !isInMemory, sharers.isEmpty else { return }
    remove(names)
    unmark(markers)
    // This fails if anything is left that does not belong to the store.
    removeEmptyFolder()
  }

  /// Other databases that use the same folder, because their names differ from the store's only in the extension.
  var sharers: [URL] {
    let parent = store.deletingLastPathComponent()
    let stem = store.deletingPathExtension().lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    return names.filter { $0.hasPrefix(stem) && $0 != store.lastPathComponent && !StoreFile.isSQLiteLog($0) }
      .sorted()
      .map(parent.appendingPathComponent)
      .filter {
        $0.deletingPathExtension().lastPathComponent == stem
          && SQLiteFile.isDatabase($0.path, withTables: true)
      }
  }

  // MARK: - The folder

  /// The permissions of new files in the folder, and of copies from it: those that the store's file and the folder
  /// have in common; `nil` if there is no such file.
  var permissions: FilePermissions? {
    guard let ofFile = FilePermissions(resolving: store.path) else { return nil }
    return FilePermissions(resolving: support.path).map(ofFile.intersection) ?? ofFile
  }

  /// Opens the folder. A symbolic link in its place is not followed.
  func open() throws -> Descriptor {
    let parent = try Descriptor(path: support.deletingLastPathComponent().path, flags: O_RDONLY | O_DIRECTORY)
    return try parent.entry(support.lastPathComponent, flags: O_RDONLY | O_DIRECTORY)
      .entry(Self.folderName, flags: O_RDONLY | O_DIRECTORY)
  }

  /// Opens the folder, which is created if it does not exist.
  ///
  /// - Parameter permissions: the permissions of a new folder; `nil` for the process's default.
  func open(creatingWith permissions: FilePermissions?) throws -> Descriptor {
    let parent = try Descriptor(path: support.deletingLastPathComponent().path, flags: O_RDONLY | O_DIRECTORY)
    let support = try Self.folder(support.lastPathComponent, in: parent, permissions: permissions)
    return try Self.folder(Self.folderName, in: support, permissions: permissions)
  }

  static func folder(_ name: String, in parent: Descriptor, permissions: FilePermissions?) throws -> Descriptor {
    do {
      return try parent.entry(name, flags: O_RDONLY | O_DIRECTORY)
    } catch let failure as FileFailure where failure.code == ENOENT {
      let isMade = mkdirat(parent.number, name, permissions?.ofFolder ?? 0o777) == 0
      guard isMade || errno == EEXIST else { throw FileFailure(path: "\(parent.path)/\(name)") }
      try parent.synchronize()
      let folder = try parent.entry(name, flags: O_RDONLY | O_DIRECTORY)
      if isMade { try permissions?.limit(folder) }
      return folder
    }
  }

  private static func isFile(_ name: String, in folder: Descriptor) -> Bool { size(name, in: folder) != nil }

  /// The size of a file; `nil` if there is no regular file.
  static func size(_ name: String, in folder: Descriptor) -> Int? {
    var status = stat()
    guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0, FileKind(status) == .regular else {
      return nil
    }
    return Int(status.st_size)
  }

  private func read(_ name: String) throws -> Data {
    do {
      let file = try open().entry(name, flags: O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      guard FileKind(status) == .regular else { throw FileFailure(path: file.path, code: EINVAL) }
      guard status.st_size <= Self.largestCount else { throw FileFailure(path: file.path, code: EFBIG) }
      // A sparse file can be longer than its content, so memory is allocated only for bytes that are read.
      var data = Data(capacity: min(Int(status.st_size), 1 << 24))
      while true {
        let part = try file.read(upTo: max(min(Int(status.st_size) - data.count, 1 << 24), 1))
        if part.isEmpty { return data }
        data.append(part)
        guard data.count <= Self.largestCount else { throw FileFailure(path: file.path, code: EFBIG) }
      }
    } catch {
      throw unreadable(name, error: error)
    }
  }

  /// The most bytes that one value may take: half of the machine's memory.
  private static let largestCount = Int(clamping: ProcessInfo.processInfo.physicalMemory / 2)

  // MARK: - Errors

  private func unreadable(_ name: String, error: any Error) -> any Error {
    let file = folder.appendingPathComponent(name)
    let failure = error as? FileFailure
    let reason =
      switch failure?.code {
      case ENOENT: "is not there"
      case ELOOP, ENOTDIR: "is reached through a symbolic link, which is not followed"
      case EINVAL: "is not a regular file"
      case EFBIG: "is larger than half of the memory"
      default: "cannot be read: \(error.localizedDescription)"
      }
    return StoreFailure.error(
      failure?.cocoaCode(writing: false) ?? CocoaError.fileReadUnknown.rawValue,
      message: """
        the file \(file.path) of the value \(reason). Bring it back from a copy, set the value anew, or clear it with \
        perennial check --repair.
        """,
      file: file
    )
  }

  private func unwritable(_ name: String?, count: Int, error: any Error) -> any Error {
    let file = name.map(folder.appendingPathComponent) ?? folder
    return StoreFailure.error(
      (error as? FileFailure)?.cocoaCode() ?? CocoaError.fileWriteUnknown.rawValue,
      message: """
        The save failed: \(name == nil ? "" : "\(count) bytes of ")large data cannot be written to \(file.path): \
        \(error.localizedDescription). Make room, or make the folder writable.
        """,
      file: file
    )
  }
}
