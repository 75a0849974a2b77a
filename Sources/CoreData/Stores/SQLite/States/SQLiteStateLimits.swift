import Foundation

/// The bounds on the states of a SQLite store that query generations hold.
struct SQLiteStateLimits: Sendable {
  /// The time for which a state may be held; `nil` for any time.
  var age: Duration?
  /// The number of bytes by which the log may grow while a state is held; `nil` for any number.
  var growth: Int?

  /// As Apple's framework keeps a generation as long as it is pinned, none ends by its age alone,
  /// which costs nothing. The size is one that a program hardly reaches that pins contexts for what
  /// it shows, and that a server's disk can do without.
  static let standard = SQLiteStateLimits(age: nil, growth: 512 << 20)

  /// - Throws: an error that names the option, when its value is no number, or below zero.
  static func limits(in options: [AnyHashable: Any]?, file: URL) throws -> SQLiteStateLimits {
    var limits = standard
    if let bytes = try number(QueryGenerationLogLimitOption, in: options, file) {
      limits.growth = bytes == 0 ? nil : Int(min(bytes.rounded(.up), largestGrowth))
    }
    if let seconds = try number(QueryGenerationAgeLimitOption, in: options, file) {
      limits.age = seconds == 0 ? nil : .seconds(min(seconds, longestAge))
    }
    return limits
  }

  /// More bytes than any disk has, twice of which are a number still.
  private static let largestGrowth = 0x1p60
  /// A thousand years, in seconds.
  private static let longestAge = 3.2e10

  private static func number(
    _ option: String,
    in options: [AnyHashable: Any]?,
    _ file: URL
  ) throws -> Double? {
    guard let value = options?[option] else { return nil }
    if let number = (value as? NSNumber)?.doubleValue, number >= 0 { return number }
    throw StoreFailure.error(
      NSPersistentStoreOpenError,
      "\(file.path): \(option): \(value) is no number from 0 on; give one, or leave the option out.",
      file: file
    )
  }
}
