import CDigests

/// The two sizes of words that the digests of FIPS 180-4 are made with: 32 bits for SHA-256, 64
/// bits for SHA-512.
protocol DigestWord: FixedWidthInteger, BitwiseCopyable, Sendable {
  /// The first bits behind the point of the square roots of the first 8 primes.
  static var initialState: [Self] { get }

  /// Adds whole blocks, of 16 words each, to the eight words of a digest in the making.
  static func add(_ blocks: UnsafePointer<UInt8>, count: Int, to state: inout [Self])
}

extension DigestWord {
  /// The bytes of a block.
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
