import Foundation

extension NSManagedObjectContext {
  /// Has all changed objects check themselves.
  ///
  /// - Throws: the error of the value that is not valid; for several, of one object or of many, one
  ///   error with theirs in it.
  final func validate(_ changed: ContiguousArray<NSManagedObject>) throws {
    var failures: [NSError] = []
    for object in changed {
      do {
        try validate(object)
      } catch {
        failures += CocoaError.singleErrors(of: error)
      }
      failures += object.danglingReferences()
    }
    if let error = CocoaError.combined(failures, object: nil) { throw error }
  }

  private final func validate(_ object: NSManagedObject) throws {
    switch object.state.intersection(.changed) {
    case let state where state.isSuperset(of: [.inserted, .deleted]): break
    case let state where state.contains(.deleted) && object.state.contains(.deletedElsewhere): break
    case let state where state.contains(.deleted): try object.validateForDelete()
    case let state where state.contains(.inserted): try object.validateForInsert()
    case let state where state.contains(.updated): try object.validateForUpdate()
    default: break
    }
  }
}

extension CocoaError {
  static func validation(
    _ code: Int,
    object: NSManagedObject?,
    key: String?,
    message: String,
    more: [String: Any] = [:]
  ) -> NSError {
    var userInfo = more
    userInfo[NSLocalizedDescriptionKey] = message
    userInfo[NSValidationObjectErrorKey] = object
    userInfo[NSValidationKeyErrorKey] = key
    return DescribedError(domain: NSCocoaErrorDomain, code: code, userInfo: userInfo)
  }

  /// The single errors within an error with the code `NSValidationMultipleErrorsError`, or the error itself.
  static func singleErrors(of error: any Error) -> [NSError] {
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
    else { return [error] }
    return details
  }

  /// One error for several; `nil` for none.
  ///
  /// - Parameter object: the object that all of them are about, if they are about one.
  static func combined(_ failures: [NSError], object: NSManagedObject?) -> NSError? {
    if failures.count < 2 { return failures.first }
    let place = object.map { " of \($0.describeIdentity())" } ?? ""
    let more = failures.count > 5 ? " …" : ""
    return validation(
      NSValidationMultipleErrorsError,
      object: object,
      key: nil,
      message: "\(failures.count) values\(place) are not valid: "
        + failures.prefix(5).map(\.localizedDescription).joined(separator: " ") + more,
      more: [NSDetailedErrorsKey: failures]
    )
  }
}
