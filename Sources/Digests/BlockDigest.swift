/// A digest of FIPS 180-4 in the making: the state after all whole blocks, and the bytes behind them.
struct BlockDigest<Word: DigestWord>: Sendable {
  private var state = Word.initialState
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
      state = tail.withUnsafeBytes { [state] in Self.following(state, after: $0) }
      tail.removeAll(keepingCapacity: true)
    }
    let whole = rest.count - rest.count % Self.blockSize
    state = Self.following(state, after: UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
    tail += rest.dropFirst(whole)
  }

  /// The digest: a one bit, zeros and the length in bits come behind the message.
  func finalized() -> [UInt8] {
    let lengthSize = Word.bitWidth / 4
    var end = tail + [0x80]
    let used = (end.count + lengthSize) % Self.blockSize
    if used > 0 { end += [UInt8](repeating: 0, count: Self.blockSize - used) }
    end += [UInt8](repeating: 0, count: lengthSize - 8)
    // More than 2⁶¹ bytes are never digested.
    withUnsafeBytes(of: (count &<< 3).bigEndian) { end += $0 }
    let last = end.withUnsafeBytes { Self.following(state, after: $0) }
    return last.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  /// The state after some whole blocks.
  private static func following(_ state: [Word], after blocks: UnsafeRawBufferPointer) -> [Word] {
    guard let start = blocks.baseAddress else { return state }
    let constants = Word.constants
    return withUnsafeTemporaryAllocation(of: Word.self, capacity: constants.count) { schedule in
      constants.withUnsafeBufferPointer { constants in
        var values = State(state)
        for offset in stride(from: 0, to: blocks.count, by: blockSize) {
          fill(schedule, from: start + offset)
          values.add(schedule, constants)
        }
        return values.words
      }
    }
  }

  /// The words of a block, and those that follow from them.
  @inline(__always)
  private static func fill(_ schedule: UnsafeMutableBufferPointer<Word>, from block: UnsafeRawPointer) {
    for index in 0..<Word.wordsInBlock {
      let word = block.loadUnaligned(fromByteOffset: index * MemoryLayout<Word>.size, as: Word.self)
      schedule[index] = Word(bigEndian: word)
    }
    for index in Word.wordsInBlock..<schedule.count {
      let (early, late) = (schedule[index - 15], schedule[index - 2])
      let first = early.rotated(Word.early.0) ^ early.rotated(Word.early.1) ^ early &>> Word.early.2
      let second = late.rotated(Word.late.0) ^ late.rotated(Word.late.1) ^ late &>> Word.late.2
      schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
    }
  }

  /// The eight words that a block changes.
  private struct State {
    private var a, b, c, d, e, f, g, h: Word

    init(_ words: [Word]) {
      (a, b, c, d) = (words[0], words[1], words[2], words[3])
      (e, f, g, h) = (words[4], words[5], words[6], words[7])
    }

    var words: [Word] { [a, b, c, d, e, f, g, h] }

    @inline(__always)
    mutating func add(_ schedule: UnsafeMutableBufferPointer<Word>, _ constants: UnsafeBufferPointer<Word>) {
      let before = self
      for index in 0..<constants.count {
        let mixed = e.rotated(Word.first.0) ^ e.rotated(Word.first.1) ^ e.rotated(Word.first.2)
        let chosen = e & f ^ ~e & g
        let first = h &+ mixed &+ chosen &+ constants[index] &+ schedule[index]
        let majority = a & b ^ a & c ^ b & c
        let second =
          (a.rotated(Word.second.0) ^ a.rotated(Word.second.1) ^ a.rotated(Word.second.2)) &+ majority
        (h, g, f, e) = (g, f, e, d &+ first)
        (d, c, b, a) = (c, b, a, first &+ second)
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
  }
}
