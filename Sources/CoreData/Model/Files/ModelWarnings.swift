import Logging
import ModelFormats
import Synchronization

/// Logs the warnings of model files.
///
/// A program reads the same file again and again, such as for each container, so each warning is
/// logged once.
enum ModelWarnings {
  private static let logged = Mutex<Set<ModelFileError>>([])

  static func log(_ warnings: [ModelFileError]) {
    for warning in warnings where logged.withLock({ $0.insert(warning).inserted }) {
      // Made anew each time, so that it is the program's own once that has set up its logging.
      Logger(label: "CoreData").warning("\(warning)")
    }
  }
}
