import ArgumentParser
import Foundation
import Seeding

/// The option for the time to which relative dates refer.
struct NowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The moment that dates such as {"$now": "-3d"} count from: 2024-03-17 or 2024-03-17T13:45:39Z. Without it the time of \
      the run.
      """,
      valueName: "date"
    )
  )
  var now: String?

  /// The time; nil if none was given.
  var date: Date? { now.flatMap(ISO8601Date.parse) }

  func validate() throws {
    guard let now, date == nil else { return }
    throw ValidationError("--now \(now): give a date such as 2024-03-17 or 2024-03-17T13:45:39Z.")
  }
}
