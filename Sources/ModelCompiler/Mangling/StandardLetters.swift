/// The types of the standard library that have a letter of their own in symbols.
enum StandardLetters {
  static func letter(of type: NominalType) -> UInt8? {
    guard type.module == "Swift", type.components.count == 1 else { return nil }
    return letters[type.name]?.asciiValue
  }

  private static let letters: [String: Character] = [
    "Array": "a", "Bool": "b", "Dictionary": "D", "Double": "d", "Float": "f", "Set": "h", "Int": "i",
    "Character": "J", "ClosedRange": "N", "Range": "n", "ObjectIdentifier": "O", "Optional": "q",
    "String": "S",
    "Substring": "s", "UInt": "u", "UnsafePointer": "P", "UnsafeMutablePointer": "p",
    "UnsafeBufferPointer": "R", "UnsafeMutableBufferPointer": "r", "UnsafeRawPointer": "V",
    "UnsafeMutableRawPointer": "v", "UnsafeRawBufferPointer": "W", "UnsafeMutableRawBufferPointer": "w",
    "DefaultIndices": "I", "BinaryFloatingPoint": "B", "Encodable": "E", "Decodable": "e",
    "FloatingPoint": "F",
    "RandomNumberGenerator": "G", "Hashable": "H", "Numeric": "j", "BidirectionalCollection": "K",
    "RandomAccessCollection": "k", "Comparable": "L", "Collection": "l", "MutableCollection": "M",
    "RangeReplaceableCollection": "m", "Equatable": "Q", "Sequence": "T", "IteratorProtocol": "t",
    "UnsignedInteger": "U", "RangeExpression": "X", "Strideable": "x", "RawRepresentable": "Y",
    "StringProtocol": "y", "SignedInteger": "Z", "BinaryInteger": "z",
  ]
}
