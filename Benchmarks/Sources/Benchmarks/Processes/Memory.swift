import CMemory
import Foundation

/// The memory of the program, in bytes.
struct Memory: CustomStringConvertible {
  /// What the kernel counts as the program's.
  var resident = Memory.residentNow
  /// What was allocated and not freed.
  var allocated = Int(CMemoryAllocated())

  static func - (one: Memory, other: Memory) -> Memory {
    Memory(resident: one.resident - other.resident, allocated: one.allocated - other.allocated)
  }

  var description: String {
    String(format: "%.1f (%.1f allocated)", Double(resident) / 1e6, Double(allocated) / 1e6)
  }

  /// The most that the kernel has counted so far, in MB.
  static func peak() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    // As in `VmHWM:   10240 kB`.
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
    guard let kilobytes else { throw NotMeasured(description: "the kernel does not tell the peak memory") }
    return kilobytes * 1024 / 1e6
  }

  private static var residentNow: Int {
    // A file whose size is told as 0 has to be read to its end.
    let data = try? FileHandle(forReadingAtPath: "/proc/self/statm")?.readToEnd()
    let fields = String(decoding: data ?? Data(), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
  }
}
