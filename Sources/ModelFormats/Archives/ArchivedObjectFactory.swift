import Foundation
import PropertyLists

/// Creates a plain object from its archived contents.
struct ArchivedObjectFactory {
  let instance: ArchivedInstance

  func collection(_ type: PlainClass, members: [NSObject]) throws(ModelFileError) -> NSObject {
    switch type {
    case .array: return NSArray(array: members)
    case .mutableArray: return NSMutableArray(array: members)
    default: try checkHashes(of: members)
    }
    if type == .set || type == .mutableSet { try checkSwiftValues(of: members) }
    switch type {
    case .set: return NSSet(array: members)
    case .mutableSet: return NSMutableSet(array: members)
    case .orderedSet: return NSOrderedSet(array: members)
    default: return NSMutableOrderedSet(array: members)
    }
  }

  func dictionary(_ keys: [NSObject], values: [NSObject], isMutable: Bool) throws(ModelFileError) -> NSObject {
    try checkHashes(of: keys)
    try checkSwiftValues(of: keys)
    return isMutable
      ? NSMutableDictionary(objects: values, forKeys: keys) : NSDictionary(objects: values, forKeys: keys)
  }

  func url(base: URL?) throws(ModelFileError) -> NSObject {
    // One that is bridged from a URL is not equal to one that was archived, where both have a base.
    guard let text = try instance.string("NS.relative"), let url = NSURL(string: text, relativeTo: base)
    else { throw broken("a URL has no text, or one that is not a URL") }
    return url
  }

  func leaf(_ type: PlainClass) throws(ModelFileError) -> NSObject {
    switch type {
    case .string: return NSString(string: try text())
    case .mutableString: return NSMutableString(string: try text())
    case .data: return NSData(data: try bytes())
    case .mutableData: return NSMutableData(data: try bytes())
    case .number: return try number()
    case .decimalNumber:
      guard let value = try ArchivedDecimal.value(of: instance) else {
        throw broken("a decimal number lacks its digits")
      }
      return NSDecimalNumber(decimal: value)
    case .date: return NSDate(timeIntervalSinceReferenceDate: try seconds())
    case .uuid: return try uuid()
    default: return NSNull()
    }
  }

  private func text() throws(ModelFileError) -> String {
    if case .string(let text)? = try instance.value("NS.string") { return text }
    guard case .data(let data)? = try instance.value("NS.bytes"),
      let text = String(bytes: data, encoding: .utf8)
    else { throw broken("a string has no text") }
    return text
  }

  private func bytes() throws(ModelFileError) -> Data {
    for key in ["NS.data", "NS.bytes"] {
      if case .data(let data)? = try instance.value(key) { return data }
    }
    throw broken("data has no bytes")
  }

  private func number() throws(ModelFileError) -> NSNumber {
    for key in ["NS.number", "NS.boolval", "NS.intval", "NS.dblval"] {
      switch try instance.value(key) {
      case .boolean(let value): return NSNumber(value: value)
      case .integer(let value): return NSNumber(value: value)
      case .unsigned(let value): return NSNumber(value: value)
      case .real(let value): return NSNumber(value: value)
      default: continue
      }
    }
    throw broken("a number has no value")
  }

  private func seconds() throws(ModelFileError) -> Double {
    switch try instance.value("NS.time") {
    case .real(let value) where value.isFinite: return value
    case .integer(let value): return Double(value)
    default: throw broken("a date has no time")
    }
  }

  private func uuid() throws(ModelFileError) -> NSUUID {
    guard case .data(let data)? = try instance.value("NS.uuidbytes"), data.count == 16 else {
      throw broken("a UUID has not its 16 bytes")
    }
    return data.withUnsafeBytes { bytes in NSUUID(uuidBytes: [UInt8](bytes)) }
  }

  /// Refuses members most of which have one hash, as Foundation compares each of these with all others, and decimal
  /// numbers: asked for the hash of one, Linux Foundation recurses until the stack is exhausted.
  private func checkHashes(of members: [NSObject]) throws(ModelFileError) {
    if members.contains(where: { $0 is NSDecimalNumber }) {
      throw broken("a decimal number is the key of a dictionary or in a set, which cannot hold it here")
    }
    guard members.count > Self.comparable else { return }
    var counts: [Int: Int] = [:]
    for member in members { counts[member.hash, default: 0] += 1 }
    if counts.values.contains(where: { $0 > Self.comparable }) {
      throw broken("more than \(Self.comparable) members of a set, or keys of a dictionary, have one hash")
    }
  }

  /// Refuses keys and members that are not hashable in Swift, or that are equal in Swift, such as
  /// two spellings of one text. Foundation on Linux stops the program when it creates a
  /// `Dictionary` or a `Set` of them, even for a description.
  private func checkSwiftValues(of members: [NSObject]) throws(ModelFileError) {
    var seen = Set<AnyHashable>(minimumCapacity: members.count)
    for member in members {
      guard let value = Self.swiftValue(of: member) else {
        throw broken("a collection is the key of a dictionary or in a set, which cannot hold it here")
      }
      guard seen.insert(value).inserted else {
        throw broken("a dictionary has two keys, or a set two members, that are equal")
      }
    }
  }

  private static func swiftValue(of object: NSObject) -> AnyHashable? {
    switch object {
    case let text as NSString: AnyHashable(String(text))
    case let number as NSNumber: AnyHashable(number)
    case let date as NSDate: AnyHashable(date as Date)
    case let data as NSData: AnyHashable(data as Data)
    case let identifier as NSUUID: AnyHashable(identifier as UUID)
    case let url as NSURL: AnyHashable(url as URL)
    case is NSArray, is NSDictionary, is NSSet, is NSOrderedSet: nil
    default: AnyHashable(object)
    }
  }

  /// The number of members that can be compared with each other within a second.
  private static let comparable = 2_000

  private func broken(_ problem: String) -> ModelFileError { instance.archive.error("archive", problem: problem) }
}

/// Foundation's classes of plain objects, as archives name them.
enum PlainClass: String {
  case array = "NSArray"
  case mutableArray = "NSMutableArray"
  case set = "NSSet"
  case mutableSet = "NSMutableSet"
  case orderedSet = "NSOrderedSet"
  case mutableOrderedSet = "NSMutableOrderedSet"
  case dictionary = "NSDictionary"
  case mutableDictionary = "NSMutableDictionary"
  case string = "NSString"
  case mutableString = "NSMutableString"
  case data = "NSData"
  case mutableData = "NSMutableData"
  case number = "NSNumber"
  case decimalNumber = "NSDecimalNumber"
  case date = "NSDate"
  case url = "NSURL"
  case uuid = "NSUUID"
  case null = "NSNull"
}
