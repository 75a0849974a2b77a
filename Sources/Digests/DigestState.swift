/// The eight words that each block changes.
struct DigestState<Word: DigestWord>: Sendable {
  private var a, b, c, d, e, f, g, h: Word

  init() {
    let words = Word.initialState
    (a, b, c, d) = (words[0], words[1], words[2], words[3])
    (e, f, g, h) = (words[4], words[5], words[6], words[7])
  }

  /// The words, the highest byte first.
  var bytes: [UInt8] {
    let size = MemoryLayout<Word>.size
    return Array(unsafeUninitializedCapacity: 8 * size) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      for (index, word) in [a, b, c, d, e, f, g, h].enumerated() {
        bytes.storeBytes(of: word.bigEndian, toByteOffset: index * size, as: Word.self)
      }
      count = 8 * size
    }
  }

  /// The state after some whole blocks.
  func following(_ blocks: UnsafeRawBufferPointer) -> Self {
    guard let start = blocks.baseAddress else { return self }
    let blockSize = Word.wordsInBlock * MemoryLayout<Word>.size
    let constants = Word.constants
    return withUnsafeTemporaryAllocation(of: Word.self, capacity: constants.count) { schedule in
      constants.withUnsafeBufferPointer { constants in
        var state = self
        for offset in stride(from: 0, to: blocks.count, by: blockSize) {
          Self.fill(schedule, from: start + offset, constants.count)
          state.add(schedule, constants)
        }
        return state
      }
    }
  }

  /// The words of a block, and those that follow from them.
  @inline(__always)
  private static func fill(
    _ schedule: UnsafeMutableBufferPointer<Word>,
    from block: UnsafeRawPointer,
    _ count: Int
  ) {
    for index in 0..<Word.wordsInBlock {
      let word = block.loadUnaligned(fromByteOffset: index &* MemoryLayout<Word>.size, as: Word.self)
      schedule[index] = Word(bigEndian: word)
    }
    for index in Word.wordsInBlock..<count {
      let (early, late) = (schedule[index &- 15], schedule[index &- 2])
      let first = early.rotated(Word.early.0) ^ early.rotated(Word.early.1) ^ early &>> Word.early.2
      let second = late.rotated(Word.late.0) ^ late.rotated(Word.late.1) ^ late &>> Word.late.2
      schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
    }
  }

  @inline(__always)
  private mutating func add(
    _ schedule: UnsafeMutableBufferPointer<Word>,
    _ constants: UnsafeBufferPointer<Word>
  ) {
    let before = self
    var index = 0
    @inline(__always) func next() -> Word {
      defer { index &+= 1 }
      return constants[index] &+ schedule[index]
    }
    // Eight rounds, after which each word has its place again: nothing is moved.
    while index < constants.count {
      Self.round(a, b, c, &d, e, f, g, &h, next())
      Self.round(h, a, b, &c, d, e, f, &g, next())
      Self.round(g, h, a, &b, c, d, e, &f, next())
      Self.round(f, g, h, &a, b, c, d, &e, next())
      Self.round(e, f, g, &h, a, b, c, &d, next())
      Self.round(d, e, f, &g, h, a, b, &c, next())
      Self.round(c, d, e, &f, g, h, a, &b, next())
      Self.round(b, c, d, &e, f, g, h, &a, next())
    }
    a &+= before.a
    b &+= before.b
    c &+= before.c
    d &+= before.d
    e &+= before.e
    f &+= before.f
    g &+= before.g
    h &+= before.h
  }

  /// One round, which changes two of the words.
  @inline(__always)
  private static func round(
    _ a: Word,
    _ b: Word,
    _ c: Word,
    _ d: inout Word,
    _ e: Word,
    _ f: Word,
    _ g: Word,
    _ h: inout Word,
    _ word: Word
  ) {
    let mixed = e.rotated(Word.first.0) ^ e.rotated(Word.first.1) ^ e.rotated(Word.first.2)
    let first = h &+ mixed &+ (g ^ e & (f ^ g)) &+ word
    let second = a.rotated(Word.second.0) ^ a.rotated(Word.second.1) ^ a.rotated(Word.second.2)
    d &+= first
    h = first &+ second &+ (a & b | c & (a | b))
  }
}
