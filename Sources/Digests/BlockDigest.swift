import CDigests

/// An unfinished digest of FIPS 180-4: the state after all whole blocks, and the bytes after the last whole block.
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

  /// Returns the digest. The padding after the message is a one bit, zeros and the message's length in bits.
  func finalized() -> [UInt8] {
    let lengthSize = 2 * MemoryLayout<Word>.size
    let size = (tail.count + 1 + lengthSize + Word.blockSize - 1) / Word.blockSize * Word.blockSize
    var end = tail + [0x80] + [UInt8](repeating: 0, count: size - tail.count - 1 - 8)
    // The length in bits fits 64 bits, because no message has 2⁶¹ bytes or more.
    withUnsafeBytes(of: (count &<< 3).bigEndian) { end += $0 }
    var state = state
    end.withUnsafeBytes { Self.add($0[...], to: &state) }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private static func add(_ blocks: Slice<UnsafeRawBufferPointer>, to state: inout [Word]) {
    guard !blocks.isEmpty, let start = UnsafeRawBufferPointer(rebasing: blocks).baseAddress else { return }
    Word.add(start.assumingMemoryBound(to: UInt8.self), count: blocks.count / Word.blockSize, to: &state)
  }
}

/// The word sizes of the digests of FIPS 180-4: 32 bits for SHA-256, 64 bits for SHA-512.
protocol DigestWord: FixedWidthInteger, BitwiseCopyable, Sendable {
  /// The first fractional bits of the square roots of the first 8 primes.
  static var initialState: [Self] { get }

  /// Adds whole blocks, of 16 words each, to the eight state words of an unfinished digest.
  static func add(_ blocks: UnsafePointer<UInt8>, count: Int, to state: inout [Self])
}

extension DigestWord {
  /// The size of a block in bytes.
  static var blockSize: Int { 16 * MemoryLayout<Self>.size }
}

extension UInt32: DigestWord {
  static let initialState: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  static func add(_ blocks: UnsafePointer<UInt8>, count: Int, to state: inout [UInt32]) {
    perennial_sha256_add(&state, blocks, count)
  }
}

extension UInt64: DigestWord {
  static let initialState: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  static func add(_ blocks: UnsafePointer<UInt8>, count: Int, to state: inout [UInt64]) {
    perennial_sha512_add(&state, blocks, count)
  }
}
