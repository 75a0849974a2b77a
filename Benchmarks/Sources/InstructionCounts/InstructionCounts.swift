import CoreData
import Foundation

/// Runs a small workload for an instrument that counts the instructions in ``counted(_:)``.
///
/// `InstructionCounts NAME` runs it twice. The first run does the work that is done once in a process, and
/// the second is counted. `InstructionCounts` without a name prints the names.
@main
enum InstructionCounts {
  static func main() throws {
    guard let name = CommandLine.arguments.dropFirst().first else {
      return print(SmallWorkloads.all.map(\.name).joined(separator: "\n"))
    }
    guard let workload = SmallWorkloads.all.first(where: { $0.name == name }) else {
      FileHandle.standardError.write(Data("there is no workload \(name)\n".utf8))
      exit(64)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "instructions-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try workload.prepare(folder.appendingPathComponent("first.sqlite"))
    try first()
    let second = try workload.prepare(folder.appendingPathComponent("second.sqlite"))
    try counted(second)
  }

  /// Runs the counted work. The instrument finds this function by its name.
  @inline(never)
  static func counted(_ work: () throws -> Void) throws { try work() }
}
