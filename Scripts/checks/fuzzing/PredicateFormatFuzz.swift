import Foundation

/// libFuzzer calls this with each input. The function parses the format. It prints a parsed predicate, parses
/// it again, compares both, and evaluates it. A crash, a hang or a predicate that changes by printing is a
/// finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let format = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  guard let predicate = try? NSPredicate(parsing: format, arguments: arguments) else { return 0 }
  let printed = predicate.printedFormat
  guard let again = try? NSPredicate(parsing: printed), again == predicate, again.hash == predicate.hash
  else {
    fatalError("\(format)\nprinted as \(printed)\nwhich does not read as an equal predicate")
  }
  _ = predicate.withSubstitutionVariables(["x": "y"])
  _ = predicate.evaluate(with: object, substitutionVariables: ["x": 1])
  return 0
}

nonisolated(unsafe) private let arguments: [Any?] = [
  "a", 1, nil, 2.5, [1, 2], "b", Date(timeIntervalSinceReferenceDate: 1), 7, "c", 3,
]

nonisolated(unsafe) private let object: [String: Any] = [
  "a": 1, "b": ["c": "text"], "tags": [["name": "b"], ["name": "é"]],
  "items": [["price": 1.5], ["price": -9.2e18]], "first": Date(timeIntervalSinceReferenceDate: 0),
]
