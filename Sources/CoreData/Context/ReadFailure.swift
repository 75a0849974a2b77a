import Foundation
import Logging
import Synchronization

/// Values that could not be read at a point that cannot throw an error: where a property is read, a
/// relationship is followed, or a context merges saved changes.
///
/// The property is `nil`, 0 or an empty set then. Apple's framework raises an exception in such a
/// case, which stops the program unless it is caught.
public struct ReadFailure: Sendable {
  /// The object whose values could not be read; `nil` where it was more than one object's.
  public let objectID: NSManagedObjectID?
  /// The name of the property that could not be read; `nil` where it was the whole object.
  public let key: String?
  /// The name of the context that was reading.
  public let contextName: String?
  /// The error that the store reported, mostly one in `NSCocoaErrorDomain` with the path of the store's file.
  public let error: any Error
}

/// The reaction of a context to values that cannot be read where no error can be thrown.
///
/// In any case the failure is logged at once, by swift-log at error level with the label `CoreData`; the next save
/// throws the first error, and so does ``NSManagedObjectContext/throwReadFailure()``; and the object stays a fault, so
/// that the next access tries again.
///
/// ```swift
/// container.readFailureHandling = .call { failure in
///   print("\(failure.key ?? "an object") could not be read: \(failure.error)")
/// }
/// ```
public enum ReadFailureHandling: Sendable {
  /// The failure is logged, and the program goes on.
  case log
  /// The failure is logged, and a function is called at once with it, on the queue of the context that was reading.
  case call(@Sendable (ReadFailure) -> Void)
  /// The program is stopped with a message, as by the exception that Apple's framework raises.
  case stop
}

extension NSManagedObjectContext {
  /// The reaction of the context to values that cannot be read where no error can be thrown; `nil`,
  /// as unless set, for that of its parent context or its coordinator.
  public final var readFailureHandling: ReadFailureHandling? {
    get { ownReadFailureHandling.withLock { $0 } }
    set { ownReadFailureHandling.withLock { $0 = newValue } }
  }

  /// Throws the first error of reading that could not be thrown where it happened, and forgets it; a save does so too.
  ///
  /// A program that only reads calls it when it has read what belongs together, and before it hands that on:
  ///
  /// ```swift
  /// let page = notes.map { "\($0.title), by \($0.author?.name ?? "nobody")" }
  /// try context.throwReadFailure()
  /// ```
  ///
  /// - Throws: the error of the store.
  public final func throwReadFailure() throws {
    if let failure = takeReadFailure() { throw failure }
  }

  /// Returns the first error of reading that has not been thrown yet, and forgets it. A page uses it
  /// to show the error instead of the value.
  package final func takeReadFailure() -> (any Error)? {
    guard let failure = readingFailure else { return nil }
    readingFailure = nil
    return failure
  }

  /// Runs work that reads objects. If a read failed where no error can be thrown, the error is thrown
  /// at the end of the work.
  ///
  /// A failure from before the work is not a reason to throw: the next save throws it.
  ///
  /// - Throws: the error of the work, or the first failure to read that has not been thrown yet.
  @inline(__always)
  package final func throwingReadFailures<Result>(_ work: () throws -> Result) throws -> Result {
    let (result, hasFailed) = try noticingReadFailures(work)
    if hasFailed { try throwReadFailure() }
    return result
  }

  /// Runs work that reads objects, and leaves its failures to read for the next save to throw.
  ///
  /// - Returns: the result, and true if a read failed where no error can be thrown.
  @inline(__always)
  final func noticingReadFailures<Result>(_ work: () throws -> Result) rethrows -> (result: Result, hasFailed: Bool) {
    let count = readFailureCount
    let result = try work()
    return (result, readFailureCount != count)
  }

  /// Logs a failure to read where no error can be thrown, and reacts as ``ReadFailureHandling`` says.
  /// The next save throws the first failure.
  final func recordReadFailure(_ error: any Error, of object: NSManagedObject? = nil, key: String? = nil) {
    readingFailure = readingFailure ?? error
    readFailureCount &+= 1
    let failure = ReadFailure(
      objectID: object?.currentObjectID(),
      key: key,
      contextName: name,
      error: error
    )
    failure.log()
    switch inheritedReadFailureHandling {
    case .log: break
    case .call(let handler): handler(failure)
    case .stop: fatalError(failure.message)
    }
  }

  private final var inheritedReadFailureHandling: ReadFailureHandling {
    readFailureHandling ?? parentSet?.inheritedReadFailureHandling
      ?? coordinatorSet?.readFailureHandling ?? .log
  }
}

extension NSPersistentStoreCoordinator {
  /// The reaction of the coordinator's contexts to values that cannot be read where no error can be
  /// thrown, unless they say otherwise themselves; ``ReadFailureHandling/log`` unless set.
  public final var readFailureHandling: ReadFailureHandling {
    get { commonReadFailureHandling.withLock { $0 } }
    set { commonReadFailureHandling.withLock { $0 = newValue } }
  }
}

extension NSPersistentContainer {
  /// The reaction of the container's contexts to values that cannot be read where no error can be
  /// thrown, unless they say otherwise themselves: the setting of the container's coordinator.
  public final var readFailureHandling: ReadFailureHandling {
    get { persistentStoreCoordinator.readFailureHandling }
    set { persistentStoreCoordinator.readFailureHandling = newValue }
  }
}

extension ReadFailure {
  /// An object was read that has lost its context, and with it the way to its values.
  init(of object: NSManagedObject) {
    objectID = object.currentObjectID()
    key = nil
    contextName = nil
    error = StoreFailure.operation(
      "its context is gone, or was reset; keep the context as long as its objects, and fetch them anew after reset()."
    )
  }

  var message: String {
    let property = key.map { ".\($0)" } ?? ""
    let what = objectID.map { "\($0.uriRepresentation().absoluteString)\(property)" } ?? "what was asked for"
    return "\(what) could not be read: \(error.localizedDescription)"
  }

  func log() {
    var metadata: Logger.Metadata = ["code": "\((error as NSError).code)"]
    if let objectID { metadata["object"] = "\(objectID.uriRepresentation().absoluteString)" }
    if let key { metadata["key"] = "\(key)" }
    if let contextName { metadata["context"] = "\(contextName)" }
    // The logger is made each time, so that it uses the program's log handler even if the program
    // sets up its logging later.
    Logger(label: "CoreData").error("\(message)", metadata: metadata)
  }
}
