import Foundation

/// The repository that contains a folder. `git` reads its objects, and nothing is checked out.
struct GitRepository {
  /// A file of a commit.
  struct Entry: Hashable {
    /// The path relative to the top of the repository.
    let path: String
    /// The hash of the object with the file's contents.
    let object: String
    /// True for a file; false for a symbolic link or a submodule.
    let isFile: Bool
  }

  private let git: GitProgram
  /// The folder's path relative to the top of the repository: empty, or with a slash at its end.
  let prefix: String

  /// - Throws: a ``GuardDoubt`` when the folder is not in a repository, or git refuses to read it.
  init(around folder: String) throws {
    git = try GitProgram(in: folder)
    let outcome = try git.run(["rev-parse", "--show-prefix"])
    guard outcome.status == 0 else { throw Self.doubt(folder, errors: outcome.errors) }
    prefix = outcome.line
  }

  private static func doubt(_ folder: String, errors: String) -> GuardDoubt {
    if errors.contains("dubious ownership") {
      return GuardDoubt(
        problem: "git does not read the repository around \(folder), because another user owns it",
        remedy: "run git config --global --add safe.directory \"$PWD\" at its top"
      )
    }
    let words = errors.split(separator: "\n").first.map { " (\($0))" } ?? ""
    return GuardDoubt(
      problem: "\(folder) is in no git repository\(words)",
      remedy: "run the command in a clone, or give a folder with the older model to --against"
    )
  }

  /// The hash of the commit that a revision names.
  ///
  /// - Throws: a ``GuardDoubt`` that distinguishes a shallow clone from a revision that does not exist.
  func commit(of reference: String) throws -> String {
    // A word that begins with a hyphen is an option of git, not a revision.
    if !reference.hasPrefix("-"), !reference.isEmpty {
      let outcome = try git.run(["rev-parse", "--verify", "--quiet", "\(reference)^{commit}"])
      if outcome.status == 0 { return outcome.line }
    }
    let shallow = try git.run(["rev-parse", "--is-shallow-repository"])
    if shallow.line == "true" {
      throw GuardDoubt(
        problem: "this clone is shallow, and \(reference) is not in it",
        remedy: "fetch it: git fetch --depth=1 origin \(Self.fetched(reference)), or clone with the whole "
          + "history (fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab)"
      )
    }
    throw GuardDoubt(
      problem: "there is no commit, branch or tag \(reference), and no folder of that name",
      remedy:
        "check the name; of a branch that is on the server alone, git fetch origin \(Self.fetched(reference))"
    )
  }

  /// The branch's name on the server: `main` for `origin/main`.
  private static func fetched(_ reference: String) -> String {
    reference.hasPrefix("origin/") ? String(reference.dropFirst("origin/".count)) : reference
  }

  /// True when a revision of that name exists.
  func has(_ reference: String) throws -> Bool {
    if reference.hasPrefix("-") { return false }
    return try git.run(["rev-parse", "--verify", "--quiet", "\(reference)^{commit}"]).status == 0
  }

  /// The files of a commit in a folder, whose path is relative to the top of the repository.
  func files(of commit: String, in folder: String) throws -> [Entry] {
    try entries(["ls-tree", "-r", "-z", "--full-tree", commit, "--", folder + "/"])
  }

  /// The paths of a commit's model packages, relative to the top of the repository.
  func packages(of commit: String) throws -> [String] {
    let outcome = try succeed(["ls-tree", "-r", "-d", "-z", "--full-tree", "--name-only", commit])
    return outcome.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.hasSuffix(".xcdatamodeld") }
  }

  /// The contents of files, by path. One run of git reads them all.
  func contents(of entries: [Entry]) throws -> [String: Data] {
    if entries.isEmpty { return [:] }
    let input = entries.map { $0.object + "\n" }.joined()
    let output = try succeed(["cat-file", "--batch"], input: Data(input.utf8))
    var batch = GitBatch(output)
    var found: [String: Data] = [:]
    for entry in entries {
      guard let data = batch.next(named: entry.object) else {
        throw GuardDoubt(
          problem: "git does not have the contents of \(entry.path)",
          remedy: "fetch them: git fetch --refetch origin, or clone without --filter"
        )
      }
      found[entry.path] = data
    }
    return found
  }

  private func entries(_ arguments: [String]) throws -> [Entry] {
    // Each entry is "MODE TYPE OBJECT<tab>PATH".
    try succeed(arguments).split(separator: 0).compactMap { line in
      let text = String(decoding: line, as: UTF8.self)
      guard let tab = text.firstIndex(of: "\t") else { return nil }
      let words = text[..<tab].split(separator: " ")
      guard words.count == 3 else { return nil }
      return Entry(
        path: String(text[text.index(after: tab)...]),
        object: String(words[2]),
        isFile: words[1] == "blob" && words[0] != "120000"
      )
    }
  }

  private func succeed(_ arguments: [String], input: Data = Data()) throws -> Data {
    let outcome = try git.run(arguments, input: input)
    if outcome.status == 0 { return outcome.output }
    let words = outcome.errors.split(separator: "\n").first.map(String.init) ?? "status \(outcome.status)"
    throw GuardDoubt(problem: "git \(arguments[0]) failed: \(words)", remedy: "run git fsck to see what is wrong")
  }
}
