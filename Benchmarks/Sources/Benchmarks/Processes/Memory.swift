import CMemory
import Foundation

/// The memory of this program, in bytes.
struct Memory: CustomStringConvertible {
  /// The resident memory, according to the kernel.
  var resident = Memory.residentNow
  /// The memory that was allocated and not freed.
  var allocated = Int(CMemoryAllocated())

  static func - (one: Memory, other: Memory) -> Memory {
    Memory(resident: one.resident - other.resident, allocated: one.allocated - other.allocated)
  }

  var description: String {
    String(format: "%.1f (%.1f allocated)", Double(resident) / 1e6, Double(allocated) / 1e6)
  }

  /// The peak of the resident memory so far, in MB.
  static func peak() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    // As in `VmHWM:   10240 kB`.
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
    guard let kilobytes else { throw NotMeasured(description: "the kernel does not tell the peak memory") }
    return kilobytes * 1024 / 1e6
  }

  private static var residentNow: Int {
    // The kernel reports the size of this file as 0, so it is read to its end.
    let data = try? FileHandle(forReadingAtPath: "/proc/self/statm")?.readToEnd()
    let fields = String(decoding: data ?? Data(), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
  }
}
