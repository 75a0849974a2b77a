import Foundation
import Hummingbird

/// The resource usage of the process: the answer of `GET /figures`.
struct Figures: ResponseEncodable {
  /// The resource usage of one store.
  struct Store: Encodable {
    var orders: Int
    var fileBytes: Int
    /// The size of the write-ahead log.
    var logBytes: Int
    /// The number of answers for each status.
    var answers: [String: Int]

    init(file: URL, orders: Int, answers: [String: Int]) {
      self.orders = orders
      self.answers = answers
      fileBytes = Self.size(of: file.path)
      logBytes = Self.size(of: file.path + "-wal")
    }

    private static func size(of path: String) -> Int {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
  }

  var residentBytes: Int
  var openFiles: Int
  var threads: Int
  /// The time that all processors have spent on the process.
  var processorMicroseconds: Int
  var coredata: Store
  var grdb: Store

  /// The present figures.
  ///
  /// - Throws: `CocoaError` if there is no `/proc`.
  init(coredata: Store, grdb: Store) throws {
    self.coredata = coredata
    self.grdb = grdb
    openFiles = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    let status = try Self.status()
    threads = status["Threads"] ?? 0
    residentBytes = (status["VmRSS"] ?? 0) * 1024
    // POSIX defines this clock in microseconds on all systems.
    processorMicroseconds = clock()
  }

  /// The numbers in `/proc/self/status`, by name.
  private static func status() throws -> [String: Int] {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    var numbers: [String: Int] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
      if parts.count > 1, let number = Int(parts[1]) { numbers[String(parts[0])] = number }
    }
    return numbers
  }
}
