import Foundation

/// A server of a store's pages in its own process, and its client.
struct ServedStore {
  let process: Process
  let client: HTTPClient
  /// The texts before and after the address of the next page.
  let nextPage: (before: String, after: String)

  /// The address of the next page in the text of a page.
  func nextLink(in page: String) -> String? {
    guard let after = page.range(of: nextPage.after),
      let before = page.range(
        of: nextPage.before,
        options: .backwards,
        range: page.startIndex..<after.lowerBound
      )
    else { return nil }
    let link = page[before.upperBound..<after.lowerBound].replacingOccurrences(of: "&amp;", with: "&")
    // Some servers write an absolute address.
    guard link.hasPrefix("http://"), let path = link.dropFirst("http://".count).firstIndex(of: "/") else {
      return link
    }
    return String(link[path...])
  }

  /// The peak memory of the process in MB, from the kernel's line such as `VmHWM:   10240 kB`.
  func peakMemory() throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard
      let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
    else { throw BenchmarkFailure(description: "the kernel has no account of the server's memory") }
    return kilobytes * 1024 / 1e6
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}

/// Starts `perennial browse`.
struct BrowseCommand {
  let program: URL

  /// - Returns: a server that has set the cookie and answered its first page.
  func start(_ arguments: [String]) throws -> ServedStore {
    let process = Process()
    process.executableURL = program
    process.arguments = ["browse"] + arguments + ["--no-open", "--port", "0"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    do {
      return try served(process, output)
    } catch {
      process.terminate()
      throw error
    }
  }

  private func served(_ process: Process, _ output: Pipe) throws -> ServedStore {
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { throw BenchmarkFailure(description: "\(program.path) browse has ended: \(text)") }
      text += String(decoding: data, as: UTF8.self)
    }
    guard let line = text.split(separator: "\n").first, let word = line.split(separator: " ").last,
      let address = URL(string: String(word)), let port = address.port
    else { throw BenchmarkFailure(description: "\(program.path) browse prints no address: \(text)") }
    let client = HTTPClient(port: port)
    let opening = try client.get(address.path)
    guard let cookie = opening.cookie else {
      throw BenchmarkFailure(description: "\(address) gives no cookie: \(opening.status)")
    }
    client.cookie = cookie
    // The opening page leads to the first page, whose path is another one at each start.
    guard let before = opening.text.range(of: "content=\"0;url="),
      let after = opening.text.range(of: "/\"", range: before.upperBound..<opening.text.endIndex)
    else { throw BenchmarkFailure(description: "\(address) leads to no page") }
    client.base = String(opening.text[before.upperBound..<after.lowerBound])
    let first = try client.get("/")
    guard first.status == 200 else {
      throw BenchmarkFailure(description: "the first page is \(first.status)")
    }
    return ServedStore(process: process, client: client, nextPage: ("href=\"", "\" rel=\"next\""))
  }
}

/// Starts Datasette.
struct DatasetteCommand {
  let program: URL

  /// - Returns: a server that has answered its first page.
  func start(_ store: URL) throws -> ServedStore {
    let port = try HTTPClient.freePort()
    let process = Process()
    process.executableURL = program
    process.arguments = ["serve", store.path, "--port", "\(port)"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let client = HTTPClient(port: port)
    while process.isRunning {
      // Datasette reports that it runs before it listens.
      guard let first = try? client.get("/Notes") else {
        usleep(1_000)
        continue
      }
      guard first.status == 200 else {
        process.terminate()
        throw BenchmarkFailure(description: "Datasette's page is \(first.status)")
      }
      return ServedStore(process: process, client: client, nextPage: ("<a href=\"", "\">Next page"))
    }
    throw BenchmarkFailure(description: "\(program.path) has ended before its first page")
  }
}
