import Foundation

/// A block that an asynchronous fetch calls when it is done. Fetches of every result class use this type.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
  NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch that the stores carry out concurrently with the program.
///
/// `NSManagedObjectContext.execute(_:)` answers at once with an ``NSAsynchronousFetchResult``; the
/// store is asked on another thread, and the objects are made on the context's queue, where the
/// completion block is called. Apple's documentation of `NSAsynchronousFetchRequest`.
///
/// ```swift
/// let request = NSFetchRequest<Note>(entityName: "Note")
/// let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { result in
///   show(result.finalResult ?? [])
/// }
/// try context.execute(fetch)
/// ```
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The request that is carried out.
  public final let fetchRequest: NSFetchRequest<ResultType>

  /// Called on the context's queue with the result, or with the error in it.
  public final let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

  /// The estimated number of results, for the progress; 0 when unknown.
  open var estimatedResultCount = 0

  /// Makes an asynchronous fetch.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completionBlock = blk
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  open override var description: String { ObjectHead.text(self, [("fetchRequest", fetchRequest.description)]) }
}

/// The result of a fetch that was given to `NSManagedObjectContext.execute(_:)`.
///
/// It is used on the context's queue. Apple's documentation of `NSAsynchronousFetchResult`.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
  /// The request.
  public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>

  /// The objects, IDs, dictionaries or numbers that were found; `nil` until the fetch is done, and when it failed.
  public internal(set) final var finalResult: [ResultType]?

  init(_ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext) {
    fetchRequest = request
    super.init(context: context, estimatedResultCount: request.estimatedResultCount)
  }

  open override var description: String { describe(count: finalResult?.count, of: fetchRequest.fetchRequest) }
}

/// The part of an asynchronous fetch that the context needs, for every class of results.
protocol AnyAsynchronousFetchRequest: NSPersistentStoreRequest {
  /// Begins to carry the request out.
  func begin(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSAsynchronousFetchRequest: AnyAsynchronousFetchRequest {
  final func begin(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(self, context: context)
    // Changes that the caller makes to the request afterwards have no effect.
    let request = NSFetchRequest<ResultType>()
    request.copySettings(from: fetchRequest)
    request.affectedStores = affectedStores ?? fetchRequest.affectedStores
    try context.fetch(request, into: result)
    return result
  }
}

extension NSFetchRequest {
  final func results(in context: NSManagedObjectContext) throws -> [Any] { try context.fetch(self) }

  final func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let result = NSAsynchronousFetchResult(NSAsynchronousFetchRequest(fetchRequest: self), context: context)
    result.finish(.success(try context.fetch(self)))
    return result
  }
}

extension NSAsynchronousFetchResult {
  /// Called on the context's queue.
  final func finish(_ outcome: Result<[ResultType], any Error>) {
    switch outcome {
    case .success(let results):
      finalResult = results
      progress?.totalUnitCount = Int64(results.count)
      progress?.completedUnitCount = Int64(results.count)
    case .failure(let error): operationError = CocoaError.ofPredicates(error)
    }
    fetchRequest.completionBlock?(self)
  }
}
