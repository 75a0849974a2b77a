import Foundation
import Predicates

extension CocoaError {
  /// An error in `NSCocoaErrorDomain` with one of Apple's codes and a message that says what to do.
  static func coreData(_ code: Int, message: String, userInfo: [String: Any] = [:]) -> NSError {
    var userInfo = userInfo
    userInfo[NSLocalizedDescriptionKey] = message
    return DescribedError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }

  /// Carries out what a program asked for, with errors of predicates in `NSCocoaErrorDomain`: without Objective-C
  /// `catch let error as NSError` lets other errors pass, where the compiler takes it to catch all.
  static func ofPredicates<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as PredicateEvaluationError {
      throw coreData(error)
    }
  }

  private static func coreData(_ error: PredicateEvaluationError) -> NSError {
    coreData(
      NSPersistentStoreUnsupportedRequestTypeError,
      message: error.description,
      userInfo: [NSUnderlyingErrorKey: error]
    )
  }

  /// An error as a program is given it.
  static func ofPredicates(_ error: any Error) -> any Error {
    (error as? PredicateEvaluationError).map(coreData) ?? error
  }
}

/// The error that the framework throws: an `NSError` that prints its message, and the objects in it
/// as they print themselves.
///
/// Foundation's own class on Linux prints `(null)` instead of the message.
// It adds no state to `NSError`, which is immutable.
final class DescribedError: NSError, @unchecked Sendable {
  /// `Error Domain=NSCocoaErrorDomain Code=1570 "title is required, …" UserInfo={NSValidationErrorKey=title, …}`.
  override var description: String {
    let message = DescriptionNode.shortened(localizedDescription, atMost: DescriptionNode.Limit.scalarsOfObjects)
    let text = "Error Domain=\(domain) Code=\(code) \"\(message)\""
    let rest = userInfo.filter { $0.key != NSLocalizedDescriptionKey }.sorted { $0.key < $1.key }
    if rest.isEmpty { return text }
    let entries = rest.map { key, value in "\(key)=\(Self.text(of: value))" }
    return "\(text) UserInfo={\(entries.joined(separator: ", "))}"
  }

  /// A single value stands without quotes, as an object's own description has them where it needs them.
  private static func text(of value: Any) -> String {
    let value = unwrapped(value)
    switch value {
    case let text as String: return DescriptionNode.shortened(text)
    case let object as NSManagedObject: return object.description
    case let error as any Error:
      return DescriptionNode.shortened("\(error)", atMost: DescriptionNode.Limit.scalarsOfObjects)
    default: return DescriptionNode.value(value).text()
    }
  }

  /// An archive holds an `NSError`, which other programs know.
  override var classForCoder: AnyClass { NSError.self }
}
