package import Foundation

/// Bytes that never change. Large parts of them are handed out without a copy, and the memory is freed with the last part.
package final class SharedBytes: @unchecked Sendable {
  // After the initializer, only a caller writes into the memory that changes its own data, which is a part of it.
  private let bytes: UnsafeRawBufferPointer
  private let isOwner: Bool

  /// A part of fewer bytes is copied.
  private static let smallestSharedPart = 64 << 10
  /// A part keeps the whole memory alive, so a part that is smaller than this fraction of it is copied.
  private static let smallestSharedFraction = 8

  /// Makes bytes of a size.
  ///
  /// - Parameter fill: writes each of the bytes.
  package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    do {
      try fill(memory)
    } catch {
      memory.deallocate()
      throw error
    }
    bytes = UnsafeRawBufferPointer(memory)
    isOwner = true
  }

  package convenience init(_ data: Data) {
    self.init(count: data.count) { memory in
      // An empty buffer has no address.
      if !data.isEmpty { data.copyBytes(to: memory) }
    }
  }

  /// Borrows memory of the caller, which has to outlive these bytes and all parts of them. No caller may change a part.
  package init(borrowing bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    isOwner = false
  }

  deinit { if isOwner { bytes.deallocate() } }

  package var count: Int { bytes.count }

  package subscript(_ index: Int) -> UInt8 {
    precondition(index >= 0 && index < bytes.count)
    return bytes[index]
  }

  /// The bytes of a range, which are valid as long as this object.
  subscript(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    return UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  /// All bytes.
  package var data: Data { data(in: 0..<count) }

  /// The bytes of a range as data of its own.
  func data(in range: Range<Int>) -> Data {
    let part = self[range]
    guard let start = part.baseAddress, part.count >= Self.smallestSharedPart,
      part.count >= count / Self.smallestSharedFraction
    else { return Data(part) }
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
      count: part.count,
      deallocator: .custom { [self] _, _ in withExtendedLifetime(self) {} }
    )
  }
}
