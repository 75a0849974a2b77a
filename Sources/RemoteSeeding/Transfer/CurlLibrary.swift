import CLoadedLibraries
import Foundation

/// libcurl, loaded and initialised.
///
/// The system's libcurl is used, because every Linux distribution has it, keeps it free of known
/// faults, and has set it up for its own certificates.
// The pointer is to a table that never changes and is never freed.
struct CurlLibrary: @unchecked Sendable {
  let functions: UnsafePointer<perennial_curl>

  /// The names of libcurl's file. Its version 4 has been the only one since 2006: https://curl.se/libcurl/abi.html.
  /// Debian names the build with GnuTLS apart from the one with OpenSSL.
  static let standardFiles: [String] = {
    #if canImport(Darwin)
      ["libcurl.4.dylib"]
    #else
      ["libcurl.so.4", "libcurl-gnutls.so.4"]
    #endif
  }()

  /// The libcurl of the system. It is loaded once, by the first thread that asks.
  private static let standard = Result { () throws(LibraryFailure) in try CurlLibrary(standardFiles) }

  /// - Parameter files: The names of libcurl's file; `nil` for the usual ones.
  static func load(_ files: [String]?) throws(LibraryFailure) -> CurlLibrary {
    guard let files else { return try standard.get() }
    return try CurlLibrary(files)
  }

  private init(_ files: [String]) throws(LibraryFailure) {
    let library = SystemLibrary(
      name: "libcurl, which fetches seeds,",
      files: files,
      // curl_multi_wakeup is the youngest of the functions that are used.
      packages: "apt-get install libcurl4, or dnf install libcurl; version 7.68 or later"
    )
    functions = try library.load { perennial_curl_load($0, &$1) }
    // All that libcurl's TLS library needs: https://curl.se/libcurl/c/curl_global_init.html.
    let all = 3
    let code = functions.pointee.global_init(all)
    guard code == 0 else {
      throw LibraryFailure(
        problem: "libcurl cannot be initialised: \(words(code))",
        remedy: "check the memory and the installation of libcurl"
      )
    }
  }

  /// The version of the system's libcurl and of its TLS library, such as `7.88.1, OpenSSL/3.0.19`.
  ///
  /// - Throws: A `LibraryFailure` when libcurl cannot be loaded.
  static func version() throws(LibraryFailure) -> String {
    let words = String(cString: try load(nil).functions.pointee.version()).split(separator: " ").prefix(2)
    return words.joined(separator: ", ").replacing("libcurl/", with: "")
  }

  /// libcurl's description of a code.
  func words(_ code: Int32) -> String {
    functions.pointee.easy_strerror(code).map { String(cString: $0) } ?? "code \(code)"
  }
}
