import Foundation
import Predicates

/// Makes the dictionaries of a fetch from values that the stores have computed, for each group or
/// for each object. No managed object is created, and no row is read for each object.
struct GroupDictionaries {
  let query: AggregateQuery
  private let columns: [DictionaryColumn]
  private let keys: [NSObject]

  /// - Returns: `nil` where a part of the request has no words that mean the same in every store.
  init?(_ fetch: DictionaryFetch.Parts, of objects: FetchQuery) {
    columns = fetch.columns
    guard !columns.isEmpty, Set(columns.map(\.name)).count == columns.count,
      let query = AggregateQuery(fetch, of: objects)
    else { return nil }
    self.query = query
    keys = columns.map { NSString(string: $0.name) }
  }

  /// The dictionaries, without the keys of values that there are none of.
  ///
  /// - Parameter context: gives objects their IDs.
  func dictionaries(of rows: AggregateRows, in context: NSManagedObjectContext) -> [NSDictionary] {
    var found = RowDictionaries.Values(capacity: columns.count)
    return (0..<rows.count).map { row in
      found.removeAll()
      for index in columns.indices {
        let stored = rows.values[row * rows.columnCount + index]
        guard let value = value(stored, index: index, context: context) else { continue }
        found.append(keys[index], value: value)
      }
      return found.dictionary
    }
  }

  private func value(_ stored: StoredValue, index: Int, context: NSManagedObjectContext) -> AnyObject? {
    let column = columns[index]
    switch (stored, column.type) {
    case (.integer(let number), .undefinedAttributeType), (.integer(let number), .integer64AttributeType):
      return NSNumber(value: number)
    case (.reference(let reference), _): return context.objectID(for: reference)
    default: break
    }
    return column.converted(evaluated(stored, type: query.values[index].kind.type)).map(Self.object)
  }

  /// A value as Foundation's own dictionaries keep it.
  private static func object(_ value: Any) -> AnyObject {
    if Swift.type(of: value) is AnyClass { return value as AnyObject }
    if let text = value as? String { return NSString(string: text) }
    return NumberValue(any: value)?.number ?? value as AnyObject
  }

  /// A value as the evaluation in memory has it.
  private func evaluated(_ stored: StoredValue, type: NSAttributeType) -> Any? {
    switch stored {
    case .integer(let number): NumberValue.integer(number).any
    case .real(let number) where type != .dateAttributeType: number
    case .decimal(let number): number
    default: AttributeValue.value(stored, as: type)
    }
  }
}
