import Foundation
import ModelFormats

@testable import PerennialCommands

extension PlantedMistake {
  private static func add(
    _ name: String,
    _ code: GuardFinding.Code,
    _ severity: GuardFinding.Severity,
    _ change: @escaping @Sendable (inout ModelDocument) -> Bool
  ) -> Self {
    Self(name: name, code: code, severity: severity) { try $0.addVersion(change) }
  }

  /// Mistakes in a version that is correctly added.
  static let additions = [
    add("an attribute is renamed without an identifier", .possibleRename, .warning) {
      $0.change(attribute: { $0.isPlain && $0.isOptional && $0.name.count > 8 && $0.elementID == nil }) {
        $0.name += "New"
      }
    },
    add("an entity is renamed without an identifier", .possibleRename, .warning) {
      $0.changeEntity { $0.name = "Planted\($0.name)" }
    },
    add("the type of an attribute is narrowed", .loss, .warning) {
      $0.change(attribute: { $0.type == .integer64 && $0.isPlain }) {
        $0.type = .integer16
        $0.defaultValueString = $0.defaultValueString == nil ? nil : "0"
        $0.minValueString = nil
        $0.maxValueString = nil
      }
    },
    add("a required attribute is added without a default value", .requiredWithoutDefault, .error) {
      guard let index = $0.entities.firstIndex(where: { !$0.isAbstract }) else { return false }
      $0.entities[index].attributes.append(.init(name: "plantedAttribute", type: .string))
      return true
    },
    add("an optional attribute becomes required without a default value", .requiredWithoutDefault, .error) {
      $0.change(attribute: { $0.isPlain && $0.isOptional }) {
        $0.isOptional = false
        $0.defaultValueString = nil
        $0.defaultDateTimeInterval = nil
      }
    },
    add("an optional relationship becomes required", .requiredWithoutDefault, .error) {
      $0.change(relationship: { $0.isOptional && !$0.isTransient }) { $0.isOptional = false }
    },
    add("an attribute gets a type that its values cannot become", .noMigration, .error) {
      $0.change(attribute: { $0.type == .string && $0.isPlain }) {
        $0.type = .integer32
        $0.defaultValueString = $0.defaultValueString == nil ? nil : "0"
        $0.minValueString = nil
        $0.maxValueString = nil
        $0.regularExpressionString = nil
      }
    },
    add("a relationship to many becomes one to one", .noMigration, .error) {
      $0.change(relationship: { $0.isToMany && !$0.isTransient }) {
        $0.isToMany = false
        $0.isOrdered = false
        $0.maxCount = 1
        $0.minCount = nil
      }
    },
    add("an attribute is dropped", .loss, .warning) { $0.removeAttribute() },
    add("an entity is dropped", .loss, .warning) { $0.removeEntity() },
    add("an attribute becomes transient", .loss, .warning) {
      $0.change(attribute: \.isPlain) { $0.isTransient = true }
    },
    add("a constraint of uniqueness is dropped", .loss, .warning) {
      guard
        let index = $0.entities.firstIndex(where: {
          !($0.uniquenessConstraints ?? []).isEmpty && !$0.isAbstract
        })
      else { return false }
      $0.entities[index].uniquenessConstraints = nil
      return true
    },
    add("an optional attribute becomes required, so that absent values get a default", .loss, .warning) {
      $0.change(attribute: { $0.isPlain && $0.isOptional && $0.type == .string }) {
        $0.isOptional = false
        $0.defaultValueString = "planted"
      }
    },
  ]
}

extension ModelDocument.Attribute {
  /// True for an attribute whose values a store keeps unchanged.
  var isPlain: Bool { !isTransient && !isDerived && type != .composite && type != nil }

  static func optional(_ name: String, _ type: ModelDocument.AttributeType) -> Self {
    var attribute = Self(name: name, type: type)
    attribute.isOptional = true
    return attribute
  }
}

extension ModelDocument {
  /// Changes the first attribute that meets the condition, in an entity with objects.
  mutating func change(
    attribute condition: (Attribute) -> Bool,
    _ change: (inout Attribute) -> Void
  ) -> Bool {
    for index in entities.indices where !entities[index].isAbstract {
      // Constraints and indexes refer to attributes by name.
      let used = namesInUse(entities[index])
      let place = entities[index].attributes.firstIndex { condition($0) && !used.contains($0.name) }
      guard let place else { continue }
      change(&entities[index].attributes[place])
      return true
    }
    return false
  }

  /// Changes the first relationship that meets the condition.
  mutating func change(
    relationship condition: (Relationship) -> Bool,
    _ change: (inout Relationship) -> Void
  ) -> Bool {
    for index in entities.indices where !entities[index].isAbstract {
      guard let place = entities[index].relationships.firstIndex(where: condition) else { continue }
      change(&entities[index].relationships[place])
      return true
    }
    return false
  }

  /// Changes the first entity with attributes to which nothing else in the model refers.
  mutating func changeEntity(_ change: (inout Entity) -> Void) -> Bool {
    guard let index = indexOfLoneEntity else { return false }
    change(&entities[index])
    return true
  }

  mutating func removeEntity() -> Bool {
    guard let index = indexOfLoneEntity else { return false }
    entities.remove(at: index)
    return true
  }

  mutating func removeAttribute() -> Bool {
    for index in entities.indices where !entities[index].isAbstract {
      let used = namesInUse(entities[index])
      let place = entities[index].attributes.firstIndex { $0.isPlain && !used.contains($0.name) }
      guard let place else { continue }
      entities[index].attributes.remove(at: place)
      return true
    }
    return false
  }

  private func namesInUse(_ entity: Entity) -> Set<String> {
    let indexes = entity.fetchIndexes.flatMap(\.elements).compactMap(\.property)
    let constraints = entities.flatMap { $0.uniquenessConstraints ?? [] }.flatMap(\.properties).map(\.value)
    let compound = (entity.compoundIndexes ?? []).flatMap(\.properties).map(\.value)
    return Set(indexes + constraints + compound)
  }

  private var indexOfLoneEntity: Int? {
    let named = Set(
      entities.compactMap(\.parentEntity) + entities.flatMap(\.relationships).compactMap(\.destinationEntity)
        + fetchRequests.compactMap(\.entity) + configurations.flatMap(\.members).map(\.name)
        + entities.flatMap(\.fetchedProperties).compactMap { $0.fetchRequest?.entity }
    )
    if entities.count < 2 { return nil }
    return entities.firstIndex { entity in
      !entity.isAbstract && entity.relationships.isEmpty && entity.parentEntity == nil
        && entity.elementID == nil
        && !named.contains(entity.name) && entity.attributes.contains(where: \.isPlain)
    }
  }
}
