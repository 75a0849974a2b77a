/// The progress of a command, as a text.
struct ProgressText {
  let completed: Int64
  let total: Int64
  let noun: String
  let elapsed: Duration
  /// The current phase of the work, where it is known.
  var phase: String?
  /// True while the work waits for other writers, so that a rate would be meaningless.
  var isWaiting = false

  /// The progress as a line: `writing objects: 450,000 of 1,000,000 records, 45%, 90,000 a second, 6 s left`.
  var line: String {
    var parts = ["\(Self.grouped(completed)) of \(Self.grouped(total)) \(noun)", "\(percent)%"]
    if let rate { parts.append("\(Self.grouped(Int64(min(rate, 1e18)))) a second") }
    if let left { parts.append("\(Self.time(left)) left") }
    return (phase.map { $0 + ": " } ?? "") + parts.joined(separator: ", ")
  }

  /// The line after a bar, both on one line of a terminal.
  func bar(width: Int) -> String {
    let room = width - line.count - 4
    guard room >= 5 else { return String(line.prefix(max(0, width - 1))) }
    let length = min(room, 40)
    let filled = Int(Double(length) * share)
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: length - filled)
    return "[\(bar)] \(line)"
  }

  private var share: Double { total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 0 }

  private var percent: Int { Int(share * 100) }

  private var seconds: Double { Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18 }

  /// The rate per second; nil in the first half second, when there is too little to measure.
  private var rate: Double? { !isWaiting && seconds >= 0.5 && completed > 0 ? Double(completed) / seconds : nil }

  private var left: Double? { rate.map { Double(max(0, total - completed)) / $0 } }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e9).rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  private static func grouped(_ number: Int64) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
