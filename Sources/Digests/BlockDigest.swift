/// A digest of FIPS 180-4 in the making: the state after all whole blocks, and the bytes behind them.
struct BlockDigest<Word: DigestWord>: Sendable {
  private var state = DigestState<Word>()
  private var tail: [UInt8] = []
  private var count: UInt64 = 0

  private static var blockSize: Int { Word.wordsInBlock * Word.bitWidth / 8 }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !tail.isEmpty {
      let missing = rest.prefix(Self.blockSize - tail.count)
      tail += missing
      rest = rest.dropFirst(missing.count)
      guard tail.count == Self.blockSize else { return }
      state = tail.withUnsafeBytes { [state] in state.following($0) }
      tail.removeAll(keepingCapacity: true)
    }
    let whole = rest.count - rest.count % Self.blockSize
    if whole > 0 { state = state.following(UnsafeRawBufferPointer(rebasing: rest.prefix(whole))) }
    tail += rest.dropFirst(whole)
  }

  /// The digest: a one bit, zeros and the length in bits come behind the message.
  func finalized() -> [UInt8] {
    let lengthSize = Word.bitWidth / 4
    let size = (tail.count + 1 + lengthSize + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { end in
      end.initializeMemory(as: UInt8.self, repeating: 0)
      end.copyBytes(from: tail)
      end[tail.count] = 0x80
      // More than 2⁶¹ bytes are never digested.
      end.storeBytes(of: (count &<< 3).bigEndian, toByteOffset: size - 8, as: UInt64.self)
      return state.following(UnsafeRawBufferPointer(end)).bytes
    }
  }
}
