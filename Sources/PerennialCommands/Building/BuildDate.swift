import Foundation

/// The time that a built store gives for what it keeps of times: the time of the build would make each build another.
struct BuildDate {
  /// What is kept for reproducible builds, see reproducible-builds.org.
  static let variable = "SOURCE_DATE_EPOCH"

  let date: Date

  init(environment: [String: String]) throws {
    guard let text = environment[Self.variable], !text.isEmpty else {
      date = Date(timeIntervalSinceReferenceDate: 0)
      return
    }
    guard let seconds = Int64(text), abs(seconds) <= 1 << 53 else {
      throw CommandFailure(
        Self.variable,
        "\"\(text)\" is no number of seconds",
        remedy: "give whole seconds since 1970, or unset it"
      )
    }
    date = Date(timeIntervalSince1970: Double(seconds))
  }
}
