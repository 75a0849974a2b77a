public import CoreData
public import Foundation
import Synchronization

/// An operation that seeds a store in the background, through a private child of a context.
///
/// ```swift
/// let seeding = SeedOperation(with: context, seed: .bundle(.module, "plants.json")) { isSeeded in
///   if !isSeeded { print("the garden stays empty") }
/// }
/// let queue = OperationQueue()
/// queue.addOperation(seeding)
/// ```
///
/// The child saves its changes into the given context, from where they go to its parents and the
/// store. The same save writes the seed into the store's ledger, so that a seed is imported once.
// Follows its superclass: the added properties are constant or protected by a lock. The operation retains the context
// and uses it only on the context's own queue, except when it looks up the coordinator at the start of the seeding.
open class SeedOperation: Operation, @unchecked Sendable {
  /// Gets true when the seed is in the store, also when it was there before.
  public typealias SeedOperationCompletion = @Sendable (Bool) -> Void

  private let managedObjectContext: NSManagedObjectContext
  private let seeder: Seeder
  private let completion: SeedOperationCompletion?
  private let outcome = Mutex<Result<SeedReport, SeedError>?>(nil)

  /// The progress of the seeding, in bytes of the seeds, with what it is doing (`SeedPhase`).
  /// Cancelling the operation cancels the progress, and cancelling the progress ends the seeding.
  public let progress = Progress(totalUnitCount: 0)

  /// The state of the seeding, which a screen can follow.
  public let state = SeedingState()

  /// Creates an operation for one seed.
  /// - Parameters:
  ///   - managedObjectContext: The parent of the operation's private context. If it is a main
  ///     queue's context, the main queue has to run until the operation has finished.
  ///   - seed: The seed; by default `seed.json` of the main bundle.
  ///   - policy: The conditions under which the seed is imported again.
  ///   - completion: Called at the end, on the operation's thread.
  public convenience init(
    with managedObjectContext: NSManagedObjectContext,
    seed: SeedSource = .bundle(),
    policy: SeedPolicy = .oncePerContent,
    completion: SeedOperationCompletion? = nil
  ) {
    self.init(with: managedObjectContext, seeder: Seeder(seed, policy: policy), completion: completion)
  }

  /// Creates an operation for all that a seeder was given.
  public init(
    with managedObjectContext: NSManagedObjectContext,
    seeder: Seeder,
    completion: SeedOperationCompletion? = nil
  ) {
    self.managedObjectContext = managedObjectContext
    self.seeder = seeder
    self.completion = completion
    super.init()
  }

  /// The report or the error; nil until the operation has finished.
  public var result: Result<SeedReport, SeedError>? {
    outcome.withLock { $0 }
  }

  /// Ends the seeding with an error of the code `cancelled`, and leaves the store unchanged. If the
  /// changes are saved already, they remain and the operation succeeds.
  open override func cancel() {
    super.cancel()
    progress.cancel()
  }

  /// Seeds, unless the operation was cancelled before, in which case it calls the completion at
  /// once. Called by the operation queue.
  open override func start() {
    // An operation that is cancelled before it starts does not run `main()`.
    if isCancelled { finish(seed()) }
    super.start()
  }

  /// Seeds and calls the completion. Called by the operation queue.
  open override func main() { finish(seed()) }

  private func finish(_ result: Result<SeedReport, SeedError>) {
    let isFirst = outcome.withLock { outcome in
      guard outcome == nil else { return false }
      outcome = result
      return true
    }
    guard isFirst else { return }
    if case .success = result { completion?(true) } else { completion?(false) }
  }

  private func seed() -> Result<SeedReport, SeedError> {
    guard !isCancelled else {
      let error = SeedError(code: .cancelled, problem: "the operation was cancelled", remedy: "add a new one")
      state.set(.failed(error))
      return .failure(error)
    }
    do {
      return .success(try seeder.runAndWait(with: managedObjectContext, progress: progress, state: state))
    } catch {
      return .failure(SeedError.describing(error))
    }
  }
}
