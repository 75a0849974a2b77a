public import Foundation
import Synchronization

/// The state of the stores that a context reads, even if other contexts save meanwhile.
///
/// Get one from ``NSManagedObjectContext/queryGenerationToken`` or from the notification of a save. Stores keep the
/// state as long as a token or a context needs it. Apple's documentation of `NSQueryGenerationToken`.
// Immutable.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The token to pin a context to so that it stays at the state that the stores have now.
  open class var current: NSQueryGenerationToken { shared }

  private static let shared = NSQueryGenerationToken(generation: nil)

  /// `nil` for ``current``.
  final let generation: QueryGeneration?

  init(generation: QueryGeneration?) {
    self.generation = generation
    super.init()
  }

  private static let generationKey = "generation"

  /// A Boolean value that is always true: a token is read from an archive by its class.
  public static var supportsSecureCoding: Bool { true }

  /// Reads a token back; `nil` for a token of another process, or one whose state was released.
  public required init?(coder: NSCoder) {
    let number = coder.decodeInteger(forKey: Self.generationKey)
    generation = number == 0 ? nil : QueryGeneration.known(number)
    if number != 0, generation == nil { return nil }
    super.init()
  }

  /// Writes the token, for use in this process while the state it names is kept.
  open func encode(with coder: NSCoder) { coder.encode(generation?.number ?? 0, forKey: Self.generationKey) }

  /// Tokens are immutable: the same one.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSQueryGenerationToken).map { $0.generation === generation } ?? false
  }

  open override var hash: Int { generation?.number ?? 0 }

  open override var description: String { describe() }
}

/// The states of the stores of one coordinator at one time.
final class QueryGeneration: Sendable {
  private struct Weak: Sendable {
    weak var generation: QueryGeneration?
  }

  private static let generations = Mutex<(last: Int, known: [Int: Weak])>((0, [:]))

  let number: Int
  /// The number of the coordinator.
  let coordinator: Int
  private let snapshots: [Int32: any StoreReader]

  /// - Parameter snapshots: the states of the stores that can keep one, by the store's index.
  init(coordinator: Int, snapshots: [Int32: any StoreReader]) {
    self.coordinator = coordinator
    self.snapshots = snapshots
    number = Self.generations.withLock { generations in
      generations.last += 1
      return generations.last
    }
    Self.generations.withLock { [number] generations in generations.known[number] = Weak(generation: self) }
  }

  deinit {
    let number = number
    Self.generations.withLock { $0.known[number] = nil }
  }

  static func known(_ number: Int) -> QueryGeneration? {
    generations.withLock { $0.known[number]?.generation }
  }

  /// - Throws: an error with the reason, when the state of a store was released.
  func requireHeld() throws { for snapshot in snapshots.values { try snapshot.requireHeld() } }

  /// Called when the previous generation has been released, and nothing has read this generation.
  func beginAnew() { for snapshot in snapshots.values { snapshot.beginAnew() } }

  /// The state of a store; the store itself when it keeps none.
  func reader(of store: any ObjectStore) -> any StoreReader { snapshots[store.index] ?? store }
}
