import SwiftSyntax

/// Replaces `NSEC_PER_SEC` and similar constants, which Dispatch has only on Apple's platforms, by numbers
/// of their type.
final class TimeUnitRule: NameRule {
  private static let numbers: [String: String] = [
    "NSEC_PER_SEC": "1_000_000_000",
    "NSEC_PER_MSEC": "1_000_000",
    "NSEC_PER_USEC": "1_000",
    "USEC_PER_SEC": "1_000_000",
    "MSEC_PER_SEC": "1_000",
  ]

  override func look(at name: TokenSyntax) {
    guard let number = Self.numbers[name.text], !index.values.contains(name.text) else { return }
    report(
      name,
      reason: "\(name.text) is not there; its value takes its place",
      edits: [SourceEdit(range: name.startOffset..<name.endOffset, replacement: "UInt64(\(number))")]
    )
  }
}
