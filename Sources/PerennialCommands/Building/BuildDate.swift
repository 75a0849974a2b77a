import Foundation
import Texts

/// The time that a built store gives for what it keeps of times: the time of the build would make
/// each build another.
struct BuildDate {
  /// The variable of the environment that reproducible builds take their time from, see
  /// reproducible-builds.org.
  static let variable = "SOURCE_DATE_EPOCH"

  /// The years 0 to 9999, as of all dates of seeds.
  private static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  let date: Date

  init(environment: [String: String]) throws {
    guard let text = environment[Self.variable], !text.isEmpty else {
      date = Date(timeIntervalSinceReferenceDate: 0)
      return
    }
    guard let seconds = Int64(text), Self.range.contains(seconds) else {
      throw CommandFailure(
        Self.variable,
        "\"\(text.abbreviated)\" is no number of seconds in the years 0 to 9999",
        remedy: "give whole seconds since 1970, or unset it"
      )
    }
    date = Date(timeIntervalSince1970: Double(seconds))
  }
}
