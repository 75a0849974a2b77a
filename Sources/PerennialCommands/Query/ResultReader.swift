import CoreData
import Foundation
import Seeding

/// Reads the values to print from objects. The caller is on the queue of the objects' context.
struct ResultReader {
  private var naturalKeys: [String: String?] = [:]

  /// The value at the end of a path; a list if the path contains a to-many relationship.
  mutating func value(at path: String, of object: NSManagedObject) -> ResultValue {
    value(at: path.split(separator: ".").map(String.init)[...], of: object)
  }

  private mutating func value(at path: ArraySlice<String>, of object: NSManagedObject) -> ResultValue {
    guard let key = path.first else { return label(of: object) }
    if let attribute = object.entity.attributesByName[key] {
      return ResultValue(object.value(forKey: key), of: attribute)
    }
    guard let relationship = object.entity.relationshipsByName[key] else { return .none }
    let rest = path.dropFirst()
    let present = object.value(forKey: key)
    guard relationship.isToMany else {
      return (present as? NSManagedObject).map { value(at: rest, of: $0) } ?? .none
    }
    let destinations =
      (present as? NSOrderedSet)?.array as? [NSManagedObject] ?? Array(present as? Set<NSManagedObject> ?? [])
    if rest.first == "@count" { return .integer(Int64(destinations.count)) }
    let values = destinations.map { value(at: rest, of: $0) }
    // A set has no order, and equal stores should print equal text.
    return .list(relationship.isOrdered ? values : values.sorted { $0.plainText < $1.plainText })
  }

  /// The value that identifies an object: its natural key, or else its URI.
  private mutating func label(of object: NSManagedObject) -> ResultValue {
    let name = object.entity.name ?? ""
    let key: String?
    if let known = naturalKeys[name] {
      key = known
    } else {
      key = NaturalKeys().key(of: object.entity)?.name
      naturalKeys[name] = .some(key)
    }
    let address = ResultValue.text(object.objectID.uriRepresentation().absoluteString)
    guard let key, let attribute = object.entity.attributesByName[key] else { return address }
    let value = ResultValue(object.value(forKey: key), of: attribute)
    return value == .none ? address : value
  }
}

extension ResultValue {
  /// A computed value that belongs to no attribute.
  init(computed value: Any?) {
    switch value {
    case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
    case let number as NSNumber:
      let type = String(cString: number.objCType)
      self = ["d", "f"].contains(type) ? .real(number.doubleValue) : .integer(number.int64Value)
    case let date as Date: self = .date(date)
    case let data as Data: self = .data(data)
    case nil, is NSNull: self = .none
    case let value?: self = .text("\(value)")
    }
  }
}
