import Foundation
import Synchronization

/// Between the names that a store of an application's own gives its objects and the keys of their references.
///
/// A name is a number, a text or any other value that can be compared. A number from 1 is itself the key. A key for
/// another name is computed from its bytes, so that it is the same the next time.
final class ReferenceObjects: Sendable {
  // The lock guards it; names are numbers, texts and other immutable values.
  private struct State: @unchecked Sendable {
    var names: [RootKey: AnyHashable] = [:]
    var keys: [RootName: Int64] = [:]
  }

  private struct RootKey: Hashable {
    let key: Int64
    let root: Int32
  }

  private struct RootName: Hashable {
    let name: AnyHashable
    let root: Int32
  }

  private let state = Mutex(State())

  /// The key of a name among the entities under one root.
  func key(of name: AnyHashable, root: Int32) -> Int64 {
    let proposal = Self.proposal(for: name)
    let boxed = UncheckedSendable(name)
    return state.withLock { state in
      let rootName = RootName(name: boxed.value, root: root)
      if let known = state.keys[rootName] { return known }
      var key = proposal
      while state.names[RootKey(key: key, root: root)] != nil { key = key == .max ? 1 : key + 1 }
      state.names[RootKey(key: key, root: root)] = boxed.value
      state.keys[rootName] = key
      return key
    }
  }

  func name(of key: Int64, root: Int32) -> Any? {
    state.withLock { UncheckedSendable($0.names[RootKey(key: key, root: root)]?.base) }.value
  }

  private static func proposal(for name: AnyHashable) -> Int64 {
    if let number = name.base as? NSNumber, number.int64Value > 0 { return number.int64Value }
    if let number = name.base as? any BinaryInteger, let key = Int64(exactly: number), key > 0 { return key }
    // FNV-1a, without the sign.
    let hash = "\(name.base)".utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return max(1, Int64(hash >> 1))
  }
}
