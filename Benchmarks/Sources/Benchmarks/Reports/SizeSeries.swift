import Foundation

/// One kind of work at increasing sizes, and the exponent with which its time grows.
struct SizeSeries {
  /// A kind of work and its sizes.
  struct Work {
    let title: String
    let work: IsolatedWorkload.Work
    let sizes: [Int]

    static let all = [
      Work(title: "fetch all objects and read them", work: .fetch, sizes: usual),
      Work(title: "insert, one save", work: .insert, sizes: usual),
      Work(title: "change one attribute, save", work: .change, sizes: usual),
      Work(title: "delete, save", work: .delete, sizes: usual),
      Work(title: "read all, some objects at a time", work: .read, sizes: usual + [10_000_000]),
    ]

    private static let usual = [10_000, 100_000, 1_000_000]
  }

  private let work: Work
  /// An outcome for each size.
  private let outcomes: [Outcome]
  private static let contenders = ["C API", "GRDB struct", SampleWorkloads.objects]

  init(_ work: Work, files: SampleFiles, runner: Runner) throws {
    self.work = work
    outcomes = try work.sizes.map { size in
      let workload = IsolatedWorkload(work: work.work, count: size)
      return try runner.run(workload.make(files, contenders: Self.contenders))
    }
  }

  var markdown: String {
    let titles = work.sizes.map { $0.formatted(.number.locale(Locale(identifier: "en_US"))) }
    let rows = Self.contenders.map { name in
      let cells = outcomes.map { outcome in outcome.figures(of: name).map { cell($0, outcome) } ?? "" }
      let exponent = exponent(of: name).map { String(format: "%.2f", $0) } ?? ""
      return "| \(([name] + cells + [exponent]).joined(separator: " | ")) |"
    }
    return """
      | \(([work.title] + titles + ["exponent"]).joined(separator: " | ")) |
      |\(String(repeating: "---|", count: titles.count + 2))
      \(rows.joined(separator: "\n"))
      """
  }

  private func cell(_ figures: Figures, _ outcome: Outcome) -> String {
    let peak = figures.peak.map { String(format: ", %.0f MB", $0) } ?? ""
    return outcome.measure.text(figures.median) + peak
  }

  private func exponent(of name: String) -> Double? {
    Growth.exponent(
      zip(work.sizes, outcomes).compactMap { size, outcome in
        outcome.figures(of: name).map { (size: size, seconds: $0.median) }
      }
    )
  }
}
