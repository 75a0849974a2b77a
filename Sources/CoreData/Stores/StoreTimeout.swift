import Foundation

/// The time, in seconds, that a store waits for others that use it.
///
/// The one default: of a description, of a store that was opened without the option, and of waits
/// before a store is opened.
package enum StoreTimeout {
  /// The timeout of a store whose options do not set one.
  ///
  /// Apple's default is 240 seconds:
  /// <https://developer.apple.com/documentation/coredata/nspersistentstoredescription/timeout>. A
  /// server that hangs for four minutes looks dead, so the default here is one minute.
  static let standard: TimeInterval = 60
  static let longest = StoreCall.longestTimeout

  /// The time that a store of these options waits: a day at most, and none where the option is negative or no number.
  package static func seconds(in options: [AnyHashable: Any]?) -> TimeInterval {
    let seconds = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? standard
    return seconds > 0 ? min(seconds, longest) : 0
  }
}
