import Logging
import ModelFormats
import Synchronization

/// Logs the warnings of model files.
///
/// A program reads the same file again and again, such as for each container, so each warning is logged once.
package enum ModelWarnings {
  private static let logged = Mutex<Set<ModelFileError>>([])

  /// True while models are read only to find the one of a store.
  @TaskLocal private static var isSearching = false

  static func log(_ warnings: [ModelFileError]) {
    if isSearching { return }
    for warning in warnings where logged.withLock({ $0.insert(warning).inserted }) {
      // The logger is made each time, so that it uses the program's log handler even if the program
      // sets up its logging later.
      Logger(label: "CoreData").warning("\(warning)")
    }
  }

  /// Reads models that may not belong to the program, without logging warnings about them.
  package static func searching<Result>(_ search: () throws -> Result) rethrows -> Result {
    try $isSearching.withValue(true) { try search() }
  }
}
