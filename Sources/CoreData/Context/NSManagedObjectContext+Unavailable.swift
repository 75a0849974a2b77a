import Foundation

/// The methods that Apple's framework keeps for programs from before queues, and that have been deprecated for long.
extension NSManagedObjectContext {
  @available(*, unavailable, message: "use perform(_:) or performAndWait(_:)")
  public final func lock() {}

  @available(*, unavailable, message: "use perform(_:) or performAndWait(_:)")
  public final func unlock() {}

  @available(*, unavailable, message: "use perform(_:) or performAndWait(_:)")
  public final func tryLock() -> Bool { false }

  @available(*, unavailable, message: "use init(concurrencyType:)")
  public class func new() -> Self { fatalError("use init(concurrencyType:).") }
}

extension NSManagedObjectContextConcurrencyType {
  @available(*, unavailable, message: "use privateQueueConcurrencyType, and the context in perform(_:)")
  public static var confinementConcurrencyType: Self { .privateQueueConcurrencyType }
}
