import Foundation

/// A library of the system that is loaded when it is first needed.
///
/// A program that never fetches a seed needs neither libcurl nor libcrypto to start. A loaded
/// library is never closed: its functions are called as long as the process lives.
struct SystemLibrary {
  /// The library as people know it, such as `libcurl`.
  let name: String

  /// The names that dlopen gets, in the order in which they are tried.
  let files: [String]

  /// The packages that have the library, by the program that installs them.
  let packages: String

  /// Loads the library.
  ///
  /// - Parameter find: Looks up the functions in what dlopen returned. It returns `nil` and sets its second argument to
  ///   the name of a function when the library is too old to have that function.
  /// - Throws: A `LibraryFailure` if no file can be loaded, or if a function is missing.
  func load<Functions>(
    _ find: (UnsafeMutableRawPointer, inout UnsafePointer<CChar>?) -> Functions?
  ) throws(LibraryFailure) -> Functions {
    var reason: String?
    for file in files {
      guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
        reason = reason ?? Self.reason(file)
        continue
      }
      var missing: UnsafePointer<CChar>?
      if let functions = find(handle, &missing) { return functions }
      reason = "\(file) has no function \(missing.map { String(cString: $0) } ?? "in memory")"
    }
    throw LibraryFailure(
      problem: reason.map { "\(name) cannot be loaded: \($0)" } ?? "\(name) is not installed",
      remedy: "install it: \(packages)"
    )
  }

  /// The reason why a file could not be loaded; `nil` if the file does not exist.
  private static func reason(_ file: String) -> String? {
    guard let text = dlerror().map({ String(cString: $0) }) else { return nil }
    // The error is about another file when the library is there and something that it needs is not.
    let isAbout = text.hasPrefix(file) || text.contains("(\(file)") || text.contains(" \(file):")
    return isAbout && text.lowercased().contains("no such file") ? nil : text
  }
}

/// The reason why a library of the system cannot be used.
struct LibraryFailure: Error, Sendable {
  let problem: String
  let remedy: String
}
