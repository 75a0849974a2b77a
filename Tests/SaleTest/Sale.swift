import Foundation

/// A sale by several processes, from the first order to the final check of the store.
struct Sale {
  let place: URL
  let processes: Int
  let threads: Int
  let seconds: Double
  /// The folder in which the processes leave their logs for the comparison.
  let folder: URL

  func run(program: URL, argument: String) throws {
    let store = try SaleStore(place)
    try store.makeProducts()
    let children = try (1...processes).map { number in
      try SellingProcess(
        program,
        arguments: ["sell", argument, "\(number)", "\(threads)", folder.path]
      )
    }
    for child in children { try child.expect("ready") }
    for child in children { child.tell("sell") }
    // The duration of the sale. No check depends on how much is sold in that time.
    Thread.sleep(forTimeInterval: seconds)
    for child in children { child.tell("stop") }
    for child in children { try child.expect("stopped") }
    try store.writeClosing()
    for child in children { try child.waitUntilExit() }
    try SaleCheck(store: store, processes: processes, folder: folder).run()
  }
}

/// A process of ``SaleProcess``, and the pipes for the lines that it reads and writes.
private final class SellingProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()

  init(_ program: URL, arguments: [String]) throws {
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func tell(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// Waits for a line that begins with a word.
  func expect(_ word: String) throws {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread = unread[unread.index(after: end)...]
        guard line.hasPrefix(word) else { throw SaleFailure("\(word) was expected, and there came \(line)") }
        if line != word { print(line) }
        return
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw SaleFailure("a process ended before it said \(word)") }
      unread += more
    }
  }

  func waitUntilExit() throws {
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw SaleFailure("a process ended with the status \(process.terminationStatus)")
    }
  }
}
