import Foundation

/// A change that a process made to a disk, as `Scripts/checks/faults/FaultyDisk.c` logs it.
struct DiskChange {
  enum Kind: UInt32 {
    case created = 1, written, truncated, synced, folderSynced, renamed, linked, removed, folderMade
    case folderRemoved, symlinked, said, allSynced
  }

  let kind: Kind
  /// The file system's number for the file.
  let node: UInt64
  /// Paths below the folder, without a leading slash. The path of the folder itself is empty.
  let path: String
  let other: String
  /// The offset of a write, or the new length of the file.
  let offset: Int
  let bytes: Data

  /// The changes in a log, in order.
  static func all(in log: URL) throws -> [DiskChange] {
    let data = try Data(contentsOf: log)
    var changes: [DiskChange] = []
    var position = 0
    func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      defer { position += MemoryLayout<Number>.size }
      return data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Number.self) }
    }
    func part(_ count: Int) -> Data {
      defer { position += count }
      return data.subdata(in: position..<position + count)
    }
    while position < data.count {
      let (kind, pathCount, otherCount, _) = (
        number(UInt32.self), number(UInt32.self), number(UInt32.self), number(UInt32.self)
      )
      let (node, offset, count) = (number(UInt64.self), number(UInt64.self), number(UInt64.self))
      let (path, other) = (part(Int(pathCount)), part(Int(otherCount)))
      guard let kind = Kind(rawValue: kind) else {
        throw CrashStore.Wrong(description: "the log of the disk is broken")
      }
      changes.append(
        DiskChange(
          kind: kind,
          node: node,
          path: Self.relative(path),
          other: Self.relative(other),
          offset: Int(offset),
          bytes: part(Int(count))
        )
      )
    }
    return changes
  }

  private static func relative(_ path: Data) -> String {
    String(decoding: path.first == UInt8(ascii: "/") ? path.dropFirst() : path, as: UTF8.self)
  }
}
