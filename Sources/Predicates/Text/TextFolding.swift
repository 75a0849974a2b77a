import Foundation

/// Folds UTF-8 text as `TextOptions` says.
enum TextFolding {
  /// The folded bytes.
  static func folded(_ bytes: UnsafeBufferPointer<UInt8>, options: TextOptions) -> [UInt8] {
    if isASCII(bytes) { return options.contains(.caseInsensitive) ? bytes.map(lowercased) : Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 4)
    forEachFoldedScalar(bytes, options: options) { scalar, _ in
      result.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
    }
    return result
  }

  /// The folded bytes, and for each byte whether a character begins there: a code of the original
  /// text, with the nonspacing marks that follow it. `?` in LIKE matches one such character.
  static func foldedWithStarts(
    _ bytes: UnsafeBufferPointer<UInt8>,
    options: TextOptions
  ) -> (bytes: [UInt8], starts: [Bool]) {
    if isASCII(bytes) {
      let folded = options.contains(.caseInsensitive) ? bytes.map(lowercased) : Array(bytes)
      return (folded, Array(repeating: true, count: folded.count))
    }
    var result: [UInt8] = []
    var starts: [Bool] = []
    forEachFoldedScalar(bytes, options: options) { scalar, isFirst in
      let encoded = UTF8.encode(scalar).unsafelyUnwrapped
      starts.append(isFirst && !isMark(scalar))
      starts.append(contentsOf: repeatElement(false, count: encoded.count - 1))
      result.append(contentsOf: encoded)
    }
    return (result, starts)
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let start = UnsafeRawPointer(base)
    var index = 0
    while index &+ 8 <= bytes.count {
      let word = start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    while index < bytes.count {
      if base[index] >= 0x80 { return false }
      index &+= 1
    }
    return true
  }

  static func isMark(_ scalar: UnicodeScalar) -> Bool {
    scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
  }

  // MARK: - Scalars

  /// Calls the closure with each folded code in canonical order, and whether it is the first that
  /// comes of its code in the text.
  private static func forEachFoldedScalar(
    _ bytes: UnsafeBufferPointer<UInt8>,
    options: TextOptions,
    _ body: (UnicodeScalar, _ isFirst: Bool) -> Void
  ) {
    if options.isEmpty {
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { body(scalar, true) }
      return
    }
    let foldsCase = options.contains(.caseInsensitive)
    var run: [(scalar: UnicodeScalar, isFirst: Bool)] = []
    var mayNeedOrder = false
    for original in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      var isFirst = true
      ScalarDecomposition.forEach(original) { scalar in
        if options.contains(.diacriticInsensitive), isMark(scalar) { return }
        if scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered { mayNeedOrder = true }
        run.append((scalar, isFirst))
        isFirst = false
      }
    }
    if mayNeedOrder { putInCanonicalOrder(&run) }
    for (scalar, isFirst) in run {
      if !foldsCase {
        body(scalar, isFirst)
      } else {
        var isFirstOfFold = isFirst
        ScalarCaseFolding.forEach(scalar) { folded in
          body(folded, isFirstOfFold)
          isFirstOfFold = false
        }
      }
    }
  }

  /// Sorts each run of marks by combining class, keeping the order of equal ones (Unicode's canonical ordering).
  private static func putInCanonicalOrder(_ run: inout [(scalar: UnicodeScalar, isFirst: Bool)]) {
    for index in run.indices.dropFirst() {
      let element = run[index]
      let order = element.scalar.properties.canonicalCombiningClass
      if order == .notReordered { continue }
      var place = index
      while place > 0, run[place - 1].scalar.properties.canonicalCombiningClass > order {
        run[place] = run[place - 1]
        place -= 1
      }
      run[place] = element
    }
  }
}
