import Foundation

/// A process that inspects one folder after another, so that a state that crashes it loses only that state's result.
final class StateProcess {
  private var process: Process?
  private var (requests, answers) = (Pipe(), Pipe())
  private var received = Data()

  /// - Returns: the number of the workload's steps that are in a folder.
  /// - Throws: what is damaged, or how the process ended that inspected the folder.
  func state(of workload: any Workload, _ place: WorkPlace) throws -> Int {
    let process = try running()
    let request = [workload.name, place.folder.path, place.inputs.path].joined(separator: "\t") + "\n"
    try requests.fileHandleForWriting.write(contentsOf: Data(request.utf8))
    guard let line = readLine() else {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      self.process = nil
      throw CrashStore.Wrong(
        description: process.terminationStatus == SIGKILL
          ? "looking at the store has hung" : "looking at the store has crashed: \(process.terminationStatus)"
      )
    }
    if let number = Int(line) { return number }
    throw CrashStore.Wrong(description: line)
  }

  func end() {
    guard let process else { return }
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
    self.process = nil
  }

  private func running() throws -> Process {
    if let process { return process }
    let new = Process()
    (requests, answers, received) = (Pipe(), Pipe(), Data())
    new.executableURL = Programs.own
    new.arguments = ["states"]
    (new.standardInput, new.standardOutput) = (requests, answers)
    try new.run()
    process = new
    return new
  }

  /// - Returns: `nil` if the process has ended, or has written nothing for a minute.
  private func readLine() -> String? {
    let descriptor = answers.fileHandleForReading.fileDescriptor
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: received[received.startIndex..<end], as: UTF8.self)
        received = Data(received[received.index(after: end)...])
        return line
      }
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waited, 1, 60_000) > 0 else { return nil }
      let data = answers.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      received.append(data)
    }
  }

  /// The loop of the process: it answers each line of its input with a line.
  static func answer() {
    while let line = Swift.readLine() {
      let parts = line.components(separatedBy: "\t")
      guard parts.count == 3, let workload = Workloads.named(parts[0]) else {
        say("there is no workload \(line)")
        continue
      }
      let place = WorkPlace(folder: URL(fileURLWithPath: parts[1]), inputs: URL(fileURLWithPath: parts[2]))
      do {
        say("\(try workload.state(place))")
      } catch let error as CrashStore.Wrong {
        say(error.description)
      } catch {
        say("what is left cannot be used: \(CrashStore.words(error))")
      }
    }
  }
}
