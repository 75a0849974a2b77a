/// Whether this machine can fetch seeds.
package enum TransferAbility: Equatable {
  /// It can, with this version of libcurl.
  case version(String)

  /// It cannot, because libcurl cannot be loaded.
  case missing(problem: String, remedy: String)

  /// Loads libcurl to find out.
  package static var current: TransferAbility {
    do throws(LibraryFailure) {
      return .version(try CurlLibrary.version())
    } catch {
      return .missing(problem: error.problem, remedy: error.remedy)
    }
  }
}
