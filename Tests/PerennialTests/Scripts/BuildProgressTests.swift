import Foundation
import Testing

/// `Scripts/build`, which `Scripts/demo` and `Scripts/test` run first, with a fake `swift` that compiles nothing.
@Suite("The progress of builds")
struct BuildProgressTests {
  private static let scripts = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts")

  private let program: Program

  init() throws {
    program = try Program()
    for name in ["build", "support/swift"] {
      let script = try String(contentsOf: Self.scripts.appendingPathComponent(name), encoding: .utf8)
      try program.write(script, to: "Scripts/\(name)")
    }
  }

  /// Builds with a shell script instead of `swift`.
  private func build(by swift: String) throws -> Program.Outcome {
    try program.write("#!/bin/sh\n" + swift + "\n", to: "bin/swift")
    return try program.shell(
      "unset CI; chmod +x bin/swift Scripts/build Scripts/support/*; PATH=\"$PWD/bin:$PATH\" Scripts/build --product perennial"
    )
  }

  /// The output of a build of 40 steps.
  private static let fortySteps = """
    echo 'Fetching https://example.com/first' >&2
    echo 'Fetching https://example.com/second' >&2
    echo '[1/1] Planning build'
    step=0
    while [ $step -le 40 ]; do
      echo "[$step/40] Compiling Notes Note.swift"
      step=$((step + 1))
    done
    """

  /// A line without the elapsed time.
  private static func withoutTime(_ line: Substring) -> String {
    String(line.replacing(#/, [0-9 mins]+: /#, with: ": "))
  }

  @Test("without a terminal, a build prints a line for each tenth, and one for fetched packages")
  func tenths() throws {
    let outcome = try build(by: Self.fortySteps)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").map(Self.withoutTime)
    let tenths = (1...10).map { tenth in
      "\(10 * tenth) %, step \(4 * tenth) of 40: Compiling Notes Note.swift"
    }
    #expect(Array(lines.suffix(11)) == ["Fetching the packages."] + tenths)
  }

  @Test("only the first build announces what it does")
  func note() throws {
    let first = try build(by: "mkdir -p .build/debug")
    #expect(first.output.contains("The first build fetches the packages that this one depends on"))
    #expect(try build(by: "true").output == "")
  }

  @Test("warnings and errors are printed completely, and a build that fails has the same exit status")
  func errors() throws {
    let complaint = """
      /Notes/Note.swift:3:5: error: cannot find 'x' in scope
       3 |     x
         |     `- error: cannot find 'x' in scope
      warning: a build may warn, too
      """
    try program.write(complaint, to: "complaint")
    let outcome = try build(by: "echo '[1/9] Compiling Notes Note.swift'; cat complaint; exit 3")
    #expect(outcome.status == 3)
    #expect(outcome.output.hasSuffix("\n" + complaint + "\n"))
  }

  @Test("a script's arguments reach the package manager, which otherwise builds all")
  func arguments() throws {
    let outcome = try build(by: "echo \"part: $PERENNIAL_PART; $@\"")
    let line = try #require(outcome.output.split(separator: "\n").last)
    #expect(line.hasPrefix("part: whole; build "))
    #expect(line.hasSuffix(" --product perennial"))
  }
}
