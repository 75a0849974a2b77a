import Foundation
import PropertyLists

/// Writes the archive of a plain object, in the form in which Apple's framework writes one.
struct SafeKeyedArchiveWriter {
  private var writer = KeyedArchiveWriter()

  mutating func data(of object: Any) throws(SafeKeyedArchive.Failure) -> Data? {
    guard let root = try add(object, depth: 0) else { return nil }
    return writer.data(root: root)
  }

  /// - Returns: the object's number; `nil` for one that is not plain.
  private mutating func add(_ object: Any, depth: Int) throws(SafeKeyedArchive.Failure) -> Int? {
    guard depth < ContainerWalk.deepest else {
      throw SafeKeyedArchive.Failure(problem: "its objects are nested more than \(ContainerWalk.deepest) deep")
    }
    switch object as? NSObject {
    case let array as NSArray:
      return try collection(array is NSMutableArray ? .mutableArray : .array, members: array.map(\.self), depth: depth)
    case is NSCountedSet: return nil
    case let set as NSSet:
      return try collection(
        set is NSMutableSet ? .mutableSet : .set,
        members: Self.sorted(set.allObjects),
        depth: depth
      )
    case let set as NSOrderedSet:
      guard let members = try numbers(of: set.array, depth: depth) else { return nil }
      return writer.object(
        set is NSMutableOrderedSet ? .mutableOrderedSet : .orderedSet,
        fields: members.enumerated().map { ("NS.object.\($0.offset)", .uid($0.element)) }
      )
    case let dictionary as NSDictionary: return try add(dictionary, depth: depth)
    case let object?: return leaf(object)
    case nil: return nil
    }
  }

  private mutating func collection(
    _ type: ArchivedClass,
    members: [Any],
    depth: Int
  ) throws(SafeKeyedArchive.Failure) -> Int? {
    guard let numbers = try numbers(of: members, depth: depth) else { return nil }
    return writer.collection(type, uids: numbers)
  }

  private mutating func add(_ dictionary: NSDictionary, depth: Int) throws(SafeKeyedArchive.Failure) -> Int? {
    let keys = Self.sorted(dictionary.allKeys)
    let values = keys.compactMap { dictionary.object(forKey: $0) }
    guard values.count == keys.count, let keys = try numbers(of: keys, depth: depth),
      let values = try numbers(of: values, depth: depth)
    else { return nil }
    return writer.object(
      dictionary is NSMutableDictionary ? .mutableDictionary : .dictionary,
      fields: [("NS.keys", .array(keys.map { .uid($0) })), ("NS.objects", .array(values.map { .uid($0) }))]
    )
  }

  private mutating func numbers(of members: [Any], depth: Int) throws(SafeKeyedArchive.Failure) -> [Int]? {
    var numbers: [Int] = []
    for member in members {
      guard let number = try add(member, depth: depth + 1) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private mutating func leaf(_ object: NSObject) -> Int? {
    switch object {
    case let text as NSMutableString: return writer.object(.mutableString, fields: [("NS.string", .string("\(text)"))])
    case let text as NSString:
      let text = "\(text)"
      // Archives store a text unchanged, except the text that represents a missing value.
      return text == "$null"
        ? writer.object(.string, fields: [("NS.string", .string(text))]) : writer.string(text)
    case let number as NSDecimalNumber:
      return writer.object(.decimalNumber, fields: ArchivedDecimal.fields(of: number.decimalValue))
    case let number as NSNumber: return add(number)
    case let date as NSDate:
      return writer.object(.date, fields: [("NS.time", .real(date.timeIntervalSinceReferenceDate))])
    case let data as NSMutableData: return writer.object(.mutableData, fields: [("NS.data", .data(data as Data))])
    case let data as NSData: return writer.data(data as Data)
    case let url as NSURL: return add(url)
    case let uuid as NSUUID: return writer.object(.uuid, fields: [("NS.uuidbytes", .data(Self.bytes(of: uuid)))])
    case is NSNull: return writer.object(.null, fields: [])
    default: return nil
    }
  }

  private mutating func add(_ number: NSNumber) -> Int {
    switch String(cString: number.objCType) {
    // The type that Foundation gives to numbers made from Swift's `Bool`.
    case "c", "B": writer.boolean(number.boolValue)
    case "f", "d": writer.real(number.doubleValue)
    case "Q" where number.uint64Value > UInt64(Int64.max): writer.unsigned(number.uint64Value)
    default: writer.integer(number.int64Value)
    }
  }

  private mutating func add(_ url: NSURL) -> Int? {
    var base = 0
    if let baseURL = url.baseURL {
      guard let number = add(baseURL.absoluteURL as NSURL) else { return nil }
      base = number
    }
    let text = writer.string(url.relativeString)
    return writer.object(.url, fields: [("NS.base", .uid(base)), ("NS.relative", .uid(text))])
  }

  private static func bytes(of uuid: NSUUID) -> Data {
    var bytes = [UInt8](repeating: 0, count: 16)
    uuid.getBytes(&bytes)
    return Data(bytes)
  }

  /// Members in their own order, if they are ordered.
  private static func sorted(_ members: [Any]) -> [Any] {
    if let texts = members as? [String] { return texts.sorted() }
    if let numbers = members as? [NSNumber] {
      return numbers.sorted { $0.compare($1) == .orderedAscending }
    }
    return members
  }
}
