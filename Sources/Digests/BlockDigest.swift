/// A digest of FIPS 180-4 in the making: the state after all whole blocks, and the bytes behind
/// them.
struct BlockDigest<Word: DigestWord>: Sendable {
  private var state = Word.initialState
  private var tail: [UInt8] = []
  private var count: UInt64 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !tail.isEmpty {
      let missing = rest.prefix(Word.blockSize - tail.count)
      tail += missing
      rest = rest.dropFirst(missing.count)
      guard tail.count == Word.blockSize else { return }
      tail.withUnsafeBytes { Self.add($0[...], to: &state) }
      tail.removeAll(keepingCapacity: true)
    }
    let whole = rest.count - rest.count % Word.blockSize
    Self.add(rest.prefix(whole), to: &state)
    tail += rest.dropFirst(whole)
  }

  /// The digest: a one bit, zeros and the length in bits come behind the message.
  func finalized() -> [UInt8] {
    let lengthSize = 2 * MemoryLayout<Word>.size
    let size = (tail.count + 1 + lengthSize + Word.blockSize - 1) / Word.blockSize * Word.blockSize
    var end = tail + [0x80] + [UInt8](repeating: 0, count: size - tail.count - 1 - 8)
    // More than 2⁶¹ bytes are never digested.
    withUnsafeBytes(of: (count &<< 3).bigEndian) { end += $0 }
    var state = state
    end.withUnsafeBytes { Self.add($0[...], to: &state) }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private static func add(_ blocks: Slice<UnsafeRawBufferPointer>, to state: inout [Word]) {
    guard !blocks.isEmpty, let start = UnsafeRawBufferPointer(rebasing: blocks).baseAddress else { return }
    Word.add(
      start.assumingMemoryBound(to: UInt8.self),
      count: blocks.count / Word.blockSize,
      to: &state
    )
  }
}
