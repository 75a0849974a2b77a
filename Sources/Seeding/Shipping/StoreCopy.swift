import Files
import Foundation

/// A copy of a store's files, made next to their final path.
struct StoreCopy {
  private static let logSuffix = "-wal"

  private let shipped: URL
  private let files = FileManager.default

  init(_ shipped: URL) { self.shipped = shipped }

  /// - Returns: False if another process was quicker.
  func put(at place: URL) throws -> Bool {
    let parent = place.deletingLastPathComponent()
    try files.createDirectory(at: parent, withIntermediateDirectories: true)
    let folder = parent.appendingPathComponent(".\(place.lastPathComponent)-\(UUID().uuidString)", isDirectory: true)
    try files.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? files.removeItem(at: folder) }
    let copy = folder.appendingPathComponent(place.lastPathComponent)
    try self.copy(shipped, to: copy)
    let copied = ExternalData(of: copy)
    let external = try copyExternalData(to: copied)
    try removeJournals(ofStoreMissingFrom: place)
    // External data and the journal go first, because the store exists as soon as its own file does. The journal must
    // not appear next to a store that another process has opened in the meantime.
    if !external.isEmpty || hasLog {
      guard !files.fileExists(atPath: place.path) else { return false }
    }
    try copied.put(at: ExternalData(of: place))
    if hasLog { try putLog(by: copy, place: place) }
    return try NewFile(copy).put(at: place)
  }

  /// - Returns: The names of the files.
  private func copyExternalData(to copied: ExternalData) throws -> [String] {
    // SQLite keeps its files next to the target of a symbolic link.
    let source = ExternalData(of: shipped.resolvingSymlinksInPath())
    let names = try source.names()
    guard !names.isEmpty else { return [] }
    try copied.createFolder(like: source)
    for name in names {
      try copy(source.folder.appendingPathComponent(name), to: copied.folder.appendingPathComponent(name))
    }
    return names
  }

  private var hasLog: Bool {
    let attributes = try? files.attributesOfItem(atPath: shipped.path + Self.logSuffix)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
  }

  private func putLog(by copy: URL, place: URL) throws {
    let log = URL(fileURLWithPath: copy.path + Self.logSuffix)
    try self.copy(URL(fileURLWithPath: shipped.path + Self.logSuffix), to: log)
    // If the file exists by now, another process is copying the same store.
    _ = try NewFile(log).put(at: URL(fileURLWithPath: place.path + Self.logSuffix))
  }

  /// SQLite would treat the old journals as those of the copy. A journal with the bytes of the
  /// shipped one stays, because another process is copying the same store.
  private func removeJournals(ofStoreMissingFrom place: URL) throws {
    for suffix in [Self.logSuffix, "-journal"] where files.fileExists(atPath: place.path + suffix) {
      let isSame = files.contentsEqual(atPath: shipped.path + suffix, andPath: place.path + suffix)
      guard !isSame, !files.fileExists(atPath: place.path) else { continue }
      try FilePlacing.removeFile(place.path + suffix)
    }
  }

  /// The copy is writable, even if the resource is not, and is flushed to the disk before it gets its name.
  private func copy(_ file: URL, to copy: URL) throws {
    // A copy of a link would be the shipped file itself.
    try files.copyItem(at: file.resolvingSymlinksInPath(), to: copy)
    let mode = (try files.attributesOfItem(atPath: copy.path)[.posixPermissions] as? NSNumber)?.intValue
    try files.setAttributes([.posixPermissions: NSNumber(value: (mode ?? 0o600) | 0o600)], ofItemAtPath: copy.path)
    let handle = try FileHandle(forUpdating: copy)
    defer { try? handle.close() }
    try handle.synchronize()
  }
}
