import CoreData
import Foundation

extension SeedValue {
  /// Strings, numbers, arrays and dictionaries as Foundation has them, for a transformable attribute.
  var foundationObject: NSObject {
    switch self {
    case .null: NSNull()
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .number(let digits): Self.number(digits)
    case .string(let text), .text(let text): NSString(string: text)
    case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case .data(let data): NSData(data: data)
    case .url(let url): NSURL(string: url.absoluteString) ?? NSNull()
    case .uuid(let uuid): NSUUID(uuidString: uuid.uuidString) ?? NSNull()
    case .set(let values): NSSet(array: values.map(\.foundationObject))
    case .array(let values): NSArray(array: values.map(\.foundationObject))
    case .object(let fields):
      NSDictionary(
        objects: fields.map(\.value.foundationObject),
        forKeys: fields.map { NSString(string: $0.key) }
      )
    }
  }

  /// A binary number if it equals the digits exactly, which is most likely the type that the
  /// writing program used; otherwise a decimal number, which has 38 digits.
  private static func number(_ digits: String) -> NSNumber {
    let decimal = SeedValue.number(digits).decimal
    guard let binary = Double(digits), binary.isFinite else {
      return decimal.map { NSDecimalNumber(decimal: $0) } ?? NSNumber(value: 0)
    }
    guard let decimal, decimal != Decimal(string: "\(binary)") else { return NSNumber(value: binary) }
    return NSDecimalNumber(decimal: decimal)
  }

  /// A number with all its digits; nil for one that is too large, and for all other values.
  var decimal: Decimal? {
    switch self {
    case .integer(let number): return Decimal(number)
    case .number(let digits):
      guard JSONNumber.isValid(digits), let decimal = Decimal(string: digits), decimal.isFinite else { return nil }
      return decimal
    default: return nil
    }
  }

  /// Nil for an object that has other parts than Foundation's plain ones.
  init?(plain object: Any) {
    switch object {
    case is NSNull: self = .null
    case let text as String: self = .string(text)
    case let date as Date: self = .date(date)
    case let data as Data: self = .data(data)
    case let url as URL:
      // The text of a relative URL does not contain its base URL.
      guard url.baseURL == nil, URL(string: url.absoluteString) == url else { return nil }
      self = .url(url)
    case let uuid as UUID: self = .uuid(uuid)
    case let set as NSSet:
      guard let values = Self.values(of: set.allObjects) else { return nil }
      self = .set(values)
    case let set as Set<AnyHashable>:
      guard let values = Self.values(of: set.map(\.base)) else { return nil }
      self = .set(values)
    case let truth as Bool where type(of: object) == Bool.self: self = .bool(truth)
    case let number as NSNumber:
      // The type that Foundation gives to numbers made from Swift's `Bool`.
      if String(cString: number.objCType) == "c" {
        self = .bool(number.boolValue)
      } else {
        guard let value = SeedValue(number: number.stringValue) else { return nil }
        self = value
      }
    case let list as [Any]:
      let values = list.compactMap(SeedValue.init(plain:))
      guard values.count == list.count else { return nil }
      self = .array(values)
    case let dictionary as [String: Any]:
      var fields: [SeedField] = []
      for (key, item) in dictionary.sorted(by: { $0.key < $1.key }) {
        guard let value = SeedValue(plain: item) else { return nil }
        fields.append(SeedField(key: key, value: value))
      }
      self = .object(fields)
    default: return nil
    }
  }

  /// Nil where one of the objects has other parts than plain ones, or where two of them are one in a seed.
  private static func values(of objects: [Any]) -> Set<SeedValue>? {
    let values = Set(objects.compactMap(SeedValue.init(plain:)))
    return values.count == objects.count ? values : nil
  }
}

/// Foundation's plain objects, compared by the rules of seeds: a boolean is different from a
/// number, although `NSNumber` treats `true` and 1 as equal.
enum PlainObjects {
  static func areEqual(_ one: NSObject, other: NSObject) -> Bool {
    switch (one, other) {
    case (let one as NSNumber, let other as NSNumber): isBoolean(one) == isBoolean(other) && one.isEqual(other)
    case (let one as NSArray, let other as NSArray):
      one.count == other.count && zip(one, other).allSatisfy { areEqual($0, other: $1) }
    case (let one as NSDictionary, let other as NSDictionary):
      one.count == other.count
        && one.allKeys.allSatisfy { key in
          guard let value = one.object(forKey: key), let another = other.object(forKey: key) else { return false }
          return areEqual(value, other: another)
        }
    case (let one as NSSet, let other as NSSet):
      one.count == other.count
        && one.allObjects.allSatisfy { object in
          other.member(object).map { areEqual(object, other: $0) } ?? false
        }
    default: one.isEqual(other)
    }
  }

  private static func areEqual(_ one: Any, other: Any) -> Bool {
    guard let one = one as? NSObject, let other = other as? NSObject else { return false }
    return areEqual(one, other: other)
  }

  private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
