import Foundation

/// The bounds on the states of a store that query generations hold.
package struct StateLimits: Sendable {
  /// The number of states that may be held at a time; `nil` for any number.
  package var count: Int?
  /// The time for which a state may be held; `nil` for any time.
  package var age: Duration?
  /// The number of bytes by which a SQLite store's log may grow while a state is held; `nil` for any number.
  var growth: Int?

  /// The limits that a store's options set, or the defaults of the store's type.
  ///
  /// - Parameters:
  ///   - standard: the bounds of the store's type.
  ///   - store: the store as errors name it.
  /// - Throws: an error that names the option, when its value is not a number, or is below zero.
  package init(
    in options: [AnyHashable: Any]?,
    otherwise standard: StateLimits,
    of store: String,
    at url: URL
  ) throws {
    func number(_ option: String) throws -> Double? {
      guard let value = options?[option] else { return nil }
      if let number = (value as? NSNumber)?.doubleValue, number >= 0 { return number }
      throw StoreFailure.open(
        "\(store): \(option): \(value) is not a number from 0 on; give one, or leave it out.",
        file: url
      )
    }
    self = standard
    if let states = try number(QueryGenerationCountLimitOption) {
      count = states == 0 ? nil : Int(min(states.rounded(.up), Self.largestCount))
    }
    if let seconds = try number(QueryGenerationAgeLimitOption) {
      age = seconds == 0 ? nil : .seconds(min(seconds, Self.longestAge))
    }
    if let bytes = try number(QueryGenerationLogLimitOption) {
      growth = bytes == 0 ? nil : Int(min(bytes.rounded(.up), Self.largestGrowth))
    }
  }

  package init(count: Int? = nil, age: Duration? = nil, growth: Int? = nil) {
    self.count = count
    self.age = age
    self.growth = growth
  }

  /// More states than any memory holds.
  private static let largestCount = 0x1p31
  /// More bytes than any disk has. Twice as many still fit in an integer.
  private static let largestGrowth = 0x1p60
  /// A thousand years, in seconds.
  private static let longestAge = 3.2e10
}

/// The reason for releasing a state although it is pinned.
package enum StateExcess {
  case age(Duration)
  case count
  case growth(Int)
  case succession(Int)
  /// The connection that held it was lost.
  case loss

  /// The error that readers of a released state get.
  ///
  /// - Parameter store: the store as errors name it.
  package func error(of store: String, at url: URL, limits: StateLimits) -> any Error {
    let (what, option): (String, String?) =
      switch self {
      case .age(let age):
        (
          "it has been pinned for \(age.components.seconds) seconds, of \(limits.age?.components.seconds ?? 0) at most",
          QueryGenerationAgeLimitOption
        )
      case .count:
        (
          "more than \(limits.count ?? 0) generations were pinned at a time, and it was the oldest",
          QueryGenerationCountLimitOption
        )
      case .growth(let bytes):
        (
          """
          the store's write-ahead log has grown by \(bytes) bytes since it was pinned, of \(limits.growth ?? 0) at most
          """,
          QueryGenerationLogLimitOption
        )
      case .succession(let bytes):
        (
          """
          the store's write-ahead log has \(bytes) bytes, more than twice the limit of \(limits.growth ?? 0), because \
          query generations were pinned one after the other without a gap
          """,
          QueryGenerationLogLimitOption
        )
      case .loss: ("the connection to the server that held it was lost", nil)
      }
    let other = option.map { "; or open the store with another \($0)" } ?? ""
    return StoreFailure.operation(
      """
      The query generation of the store \(store) was let go of: \(what). Pin the context anew by \
      setQueryGenerationFrom(.current), and refresh its objects\(other).
      """,
      file: url
    )
  }
}
