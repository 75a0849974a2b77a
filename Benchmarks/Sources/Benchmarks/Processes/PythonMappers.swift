import Foundation

/// SQLAlchemy and Django's mapper, which do the same work in a Python process that runs until the end.
///
/// The process reads a line for each round from its standard input and answers with a line: see `Python/mappers.py`.
final class PythonMappers {
  /// A mapper in the process, with its version.
  struct Mapper {
    let name: String
    let version: String
  }

  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private var unread = Data()
  /// The versions of Python and of each mapper.
  private(set) var versions: [Mapper] = []
  private var mappers: [Mapper] { versions.filter { $0.name != "Python" } }

  /// Starts the process.
  ///
  /// - Parameter interpreter: a Python interpreter, which may have the mappers.
  init(interpreter: String) throws {
    process.executableURL = URL(fileURLWithPath: interpreter)
    process.arguments = [Self.script]
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
    versions = try answer().split(separator: ";").map { entry in
      let words = entry.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { throw Failure(description: "\(Self.script): no version in \(entry)") }
      return Mapper(name: words[0], version: words[1])
    }
  }

  /// Ends the process by closing its input.
  deinit {
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../../Python/mappers.py").standardized.path

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// A contender for each mapper.
  ///
  /// - Parameters:
  ///   - work: the script's name for the work.
  ///   - count: the number of objects.
  ///   - rows: the number of rows in the file; the number of objects by default.
  ///   - expected: the sum of the read values; `nil` if nothing is read.
  ///   - file: makes the file for a round.
  func contenders(
    _ work: String,
    count: Int,
    rows: Int? = nil,
    expected: Int64? = nil,
    file: @escaping () throws -> URL
  ) -> [Contender] {
    mappers.map { mapper in
      Contender("\(mapper.name) (Python)") { _ in
        let line = "\(mapper.name) \(work) \(count) \(rows ?? count) \(try file().path)"
        let (seconds, sum) = try self.ask(line)
        if let expected, expected != sum {
          throw Failure(description: "\(line): the sum is \(sum) and not \(expected)")
        }
        return Contender.Reading(value: seconds)
      }
    }
  }

  /// - Returns: the processor time in seconds, and the sum of the read values.
  private func ask(_ line: String) throws -> (seconds: Double, sum: Int64) {
    try requests.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    let words = try answer().split(separator: " ")
    guard words.count == 2, let seconds = Double(words[0]), let sum = Int64(words[1]) else {
      throw Failure(description: "\(line): no time in \(words.joined(separator: " "))")
    }
    return (seconds, sum)
  }

  /// The next line of the process's output.
  private func answer() throws -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = Data(unread[(end + 1)...])
        return line
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure(description: "\(Self.script) has ended; see what it wrote") }
      unread += more
    }
  }
}
