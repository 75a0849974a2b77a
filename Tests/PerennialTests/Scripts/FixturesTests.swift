import Foundation
import Testing

/// `Scripts/fixtures` with a table of two files, and a clone in which one of them matches the table.
@Suite("The files that Scripts/fixtures gets")
struct FixturesTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts/fixtures")

  private let program: Program

  init() throws {
    program = try Program()
    try program.write(String(contentsOf: Self.script, encoding: .utf8), to: "Scripts/fixtures")
    try program.write("right\n", to: "clones/owner/name/right.txt")
    try program.write("wrong\n", to: "clones/owner/name/wrong.txt")
    let made = try program.shell(
      """
      cd clones/owner/name && git init --quiet && git add . \
      && git -c user.name=nobody -c user.email=nobody@example.com commit --quiet --message files && cd ../../.. \
      && mkdir -p Scripts/support && commit=$(git -C clones/owner/name rev-parse HEAD) \
      && digest=$(printf 'right\\n' | sha256sum | cut -d ' ' -f 1) \
      && { echo head; for name in right wrong; do \
      printf 'a/%s.txt\\t%s\\t6\\towner/name\\t%s\\t%s.txt\\tMIT\\n' $name $digest $commit $name; done; } \
      > Scripts/support/fixtures.tsv
      """
    )
    #expect(made.status == 0)
  }

  private func fixtures(_ arguments: String) throws -> Program.Outcome {
    try program.shell("python3 Scripts/fixtures \(arguments) --folder here 2>&1")
  }

  @Test("A file with the right digest is put into place, and one with another digest is named and left out")
  func get() throws {
    let outcome = try fixtures("get --from clones")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("a/wrong.txt: not got: owner/name at "))
    #expect(outcome.output.contains("1 of 2 files are in here"))
    #expect(try program.shell("ls here/a").output == "right.txt\n")
  }

  @Test("A file that is there with another digest is not replaced")
  func kept() throws {
    try program.write("my own\n", to: "here/a/right.txt")
    let outcome = try fixtures("get --from clones")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("a/right.txt: there with another digest, and not replaced"))
    #expect(try program.shell("cat here/a/right.txt").output == "my own\n")
  }

  @Test("Without arguments Scripts/fixtures prints the sources of the files, and the missing files")
  func explained() throws {
    let outcome = try fixtures("")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("https://github.com/owner/name/tree/"))
    #expect(outcome.output.contains("0 of 2 files are in here"))
    let checked = try fixtures("check")
    #expect(checked.status == 1)
    #expect(checked.output.contains("a/right.txt: missing"))
  }

  @Test("A repository without a clone is named")
  func noClone() throws {
    let outcome = try fixtures("get --from nowhere")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("nowhere has no clone of owner/name"))
  }
}
