import Foundation
import TestSupport

/// The contents of a file: the durable bytes, and later writes that may get lost.
struct DiskNode {
  enum Change {
    case write(offset: Int, bytes: Data)
    case truncate(length: Int)
  }

  private static let sectorSize = 512

  private(set) var synced: Data
  private(set) var pending: [Change] = []

  init(_ synced: Data = Data()) { self.synced = synced }

  mutating func append(_ change: Change) { pending.append(change) }

  mutating func synchronise() {
    synced = current
    pending = []
  }

  /// The contents as the process sees them.
  var current: Data { pending.reduce(into: synced) { Self.apply($1, to: &$0) } }

  /// The contents that may exist after a power failure. Of the writes since the last synchronisation, the disk may have none,
  /// all, the first ones, or any of them, sector by sector.
  func afterPowerLoss(_ random: inout SplitMix) -> Data {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return synced
    case 1: return current
    case 2:
      let whole = Int.random(in: 0...pending.count, using: &random)
      var result = synced
      for change in pending.prefix(whole) { Self.apply(change, to: &result) }
      if whole < pending.count {
        for part in Self.torn(pending[whole], &random) { Self.apply(part, to: &result) }
      }
      return result
    default:
      var result = synced
      for change in pending where Bool.random(using: &random) {
        for part in Bool.random(using: &random) ? [change] : Self.torn(change, &random) {
          Self.apply(part, to: &result)
        }
      }
      return result
    }
  }

  private static func apply(_ change: Change, to data: inout Data) {
    switch change {
    case .write(let offset, let bytes):
      if data.count < offset { data.append(Data(count: offset - data.count)) }
      data.replaceSubrange(offset..<min(data.count, offset + bytes.count), with: bytes)
    case .truncate(let length):
      data = data.count < length ? data + Data(count: length - data.count) : Data(data.prefix(length))
    }
  }

  /// A random part of the sectors of a write.
  private static func torn(_ change: Change, _ random: inout SplitMix) -> [Change] {
    guard case .write(let offset, let bytes) = change else { return [] }
    var parts: [Change] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, ((offset + start) / sectorSize + 1) * sectorSize - offset)
      if Bool.random(using: &random) {
        parts.append(.write(offset: offset + start, bytes: bytes.subdata(in: start..<end)))
      }
      start = end
    }
    return parts
  }
}
