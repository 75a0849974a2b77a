import Foundation

/// Makes the errors that migrations report.
enum MigrationFailure {
  static func error(_ code: Int, _ message: String, _ userInfo: [String: Any] = [:]) -> NSError {
    CocoaError.coreData(code, message, userInfo)
  }

  /// What went wrong in one mapping.
  static func error(
    _ code: Int = NSMigrationError,
    in mapping: NSEntityMapping,
    property: String? = nil,
    _ problem: String,
    underlying: (any Error)? = nil
  ) -> NSError {
    let place = property.map { ", property \($0)" } ?? ""
    var userInfo: [String: Any] = ["entityMapping": mapping.name ?? "", "reason": problem]
    userInfo["entity"] = mapping.destinationEntityName ?? mapping.sourceEntityName
    userInfo["property"] = property
    userInfo[NSUnderlyingErrorKey] = underlying
    return error(code, "the mapping \(mapping.name ?? "")\(place): \(problem)", userInfo)
  }
}
