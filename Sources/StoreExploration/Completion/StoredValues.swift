import CoreData
import Foundation
import ModelFormats

/// The stored values of an attribute, if it has few different ones.
struct StoredValues: Sendable {
  /// The greatest number of different values that can be suggested.
  static let most = 24
  /// The longest text that can be suggested, in characters.
  private static let longest = 80

  let reading: StoreReading
  let time: Duration

  /// The texts that the attribute has in its entity, sorted. Empty if there are more than ``most``, the values
  /// are not texts, or the store did not answer in time.
  func texts(of attribute: NSAttributeDescription) async -> [String] {
    guard attribute.attributeType == .stringAttributeType else { return [] }
    let found = await values(of: attribute) { $0 as? String }
    return found.filter { !$0.isEmpty && $0.count <= Self.longest }.sorted()
  }

  /// The integers that the attribute has, under the same conditions.
  func numbers(of attribute: NSAttributeDescription) async -> [Int64] {
    guard AttributeKind(attribute.attributeType).storage == .integer else { return [] }
    return await values(of: attribute) { ($0 as? NSNumber)?.int64Value }.sorted()
  }

  /// The values as a predicate's text spells them.
  func spelled(of attribute: NSAttributeDescription) async -> [String] {
    let texts = await texts(of: attribute)
    return texts.isEmpty ? await numbers(of: attribute).map(String.init) : texts.map(PredicateText.text)
  }

  /// The entity that declares an attribute; `nil` for an element of a composite attribute, which belongs to no entity.
  private func owner(of attribute: NSAttributeDescription) -> NSEntityDescription? {
    reading.coordinator.managedObjectModel.entities.first { entity in
      entity.attributesByName[attribute.name] === attribute
        && entity.superentity?.attributesByName[attribute.name] !== attribute
    }
  }

  private func values<Value: Sendable>(
    of attribute: NSAttributeDescription,
    _ value: @escaping @Sendable (Any?) -> Value?
  ) async -> [Value] {
    guard !attribute.isTransient, let entity = owner(of: attribute)?.name else { return [] }
    let name = attribute.name
    let found = try? await reading.read(within: time) { context in
      let request = NSFetchRequest<NSDictionary>(entityName: entity)
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [name]
      request.returnsDistinctResults = true
      request.fetchLimit = Self.most + 1
      return try context.fetch(request).map { value($0[name]) }
    }
    guard let found, found.count <= Self.most else { return [] }
    return found.compactMap(\.self)
  }
}
