#if !canImport(Darwin)
  import ArgumentParser
  import Foundation
  import ModelFormats

  /// `perennial guard MODEL [--against REF|FOLDER]`
  struct GuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "guard",
      abstract: "Judge the versions of a model before a change of it is merged.",
      usage: "perennial guard [<options>] <model>",
      discussion: """
        Compares an .xcdatamodeld with itself in a commit, or in a folder. Versions that were there before have to be there \
        and unchanged; the current version has to be the same, or one that comes after it; and stores of every version \
        have to be migrated to it, by an inferred mapping, by a mapping model around the package, or in stages. Each \
        migration is tried with made data in a temporary store, and its contents are compared. What stores lose, and changes \
        that version hashes do not see, are warnings. Each finding says what to do. The exit status is 0, 1 when the change \
        is refused, and 2 when it could not be judged. Commits are read by git; nothing is checked out. See \
        Documentation/CI.md.
        """
    )

    @Argument(help: "The model: an .xcdatamodeld.", completion: .file(extensions: ["xcdatamodeld"]))
    var model: String

    @Option(
      help: ArgumentHelp(
        """
        What to compare with: a branch, tag or commit, such as origin/main; the older package; or a folder that has it, such \
        as a checkout.
        """,
        valueName: "ref|folder"
      ),
      completion: .directory
    )
    var against: String?

    @Option(
      name: .customLong("mapping"),
      help: ArgumentHelp(
        "An .xcmappingmodel, or a folder with some, besides those in the folder of the package. May be repeated.",
        valueName: "path"
      ),
      completion: .mappingFiles
    )
    var mappings: [String] = []

    @Option(
      help: ArgumentHelp(
        "A version whose stores the program migrates by code of its own, such as a custom stage. May be repeated.",
        valueName: "version"
      )
    )
    var inCode: [String] = []

    @Flag(inversion: .prefixedNo, help: "Try each migration with made data.") var trials = true

    @Flag(help: "Refuse warnings as well: losses, and changes that version hashes do not see.")
    var strict = false

    @Flag(help: "Print annotations of GitHub Actions as well. Where GITHUB_ACTIONS is true, they are printed anyway.")
    var github = false

    @Flag(help: "Print the report as JSON, and nothing else.") var json = false

    @Option(help: "A file for the report as Markdown, for a comment.", completion: .file())
    var markdown: String?

    @Option(
      help: "A file for the page of perennial diff, from the current version before to the one now.",
      completion: .file()
    )
    var html: String?

    @OptionGroup(title: "Log") var logging: LogOptions

    func run() throws {
      var status: Int32 = 0
      do {
        try CommandFailure.reporting(logging) {
          do {
            let judgement = try judge()
            status = judgement.report.verdict.status
            try write(judgement)
          } catch let doubt as GuardDoubt {
            status = GuardReport.Verdict.unjudged.status
            try write(doubt)
          }
        }
      } catch let failure as CommandFailure {
        // Status 1 means that the model is refused. A failure of the command says nothing about the model.
        status = GuardReport.Verdict.unjudged.status
        warn("Error: \(failure.description)")
      }
      if status != 0 { throw ExitCode(status) }
    }

    private func judge() throws -> ModelGuard.Judgement {
      var path = model
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      return try ModelGuard(
        model: path,
        reference: against,
        mappings: mappings,
        inCode: Set(inCode),
        trialCount: trials ? 8 : nil,
        isStrict: strict
      ).judge()
    }

    private func write(_ judgement: ModelGuard.Judgement) throws {
      let report = judgement.report
      if json {
        printExactly(try report.json())
      } else {
        print(report.text)
        if isOnGitHub { print(report.annotations(workspace: workspace), terminator: "") }
      }
      try write(report.markdown)
      guard let html else { return }
      guard let documents = judgement.documents else {
        return warn("\(html): no page was written, because there are no two current versions to compare")
      }
      let hashes = [documents.before, documents.after].map { ModelVersionHashes(document: $0).entityHashes }
      let review = ModelReview(
        ModelDifference(from: documents.before, to: documents.after),
        opensAsItIs: hashes[0] == hashes[1]
      )
      try ModelReviewPage.page(review, names: (against ?? "", model)).write(to: html)
    }

    /// Writes a report for a model that could not be judged, so that the comment of an older run is replaced.
    private func write(_ doubt: GuardDoubt) throws {
      let finding = GuardFinding(
        severity: .unjudged,
        code: .notCompared,
        file: model,
        subject: "the model",
        problem: doubt.problem,
        remedy: doubt.remedy
      )
      let report = GuardReport(
        model: model,
        reference: against,
        current: nil,
        ways: [],
        findings: [finding],
        isStrict: strict
      )
      if json {
        printExactly(try report.json())
      } else if isOnGitHub {
        print(report.annotations(workspace: workspace), terminator: "")
      }
      warn("Error: \(doubt.description)")
      try write(report.markdown)
    }

    private func write(_ text: String) throws {
      guard let markdown else { return }
      try OptionFile(path: markdown, option: "--markdown", content: "report").write(text)
    }

    private var isOnGitHub: Bool {
      !json && (github || ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true")
    }

    private var workspace: String? { ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"] }
  }
#endif
