import Foundation
import ModelFormats
import Testing

@testable import PerennialCommands

/// A common mistake with model versions, and what the guard must report about it.
struct PlantedMistake: Sendable, CustomTestStringConvertible {
  let name: String
  let code: GuardFinding.Code
  let severity: GuardFinding.Severity
  /// Plants the mistake into the package, and returns false if the package contains nothing to plant it in.
  let plant: @Sendable (GuardedPackage) throws -> Bool

  var testDescription: String { name }

  static let all = edits + hidden + folders + additions
}

extension PlantedMistake {
  private typealias Change = @Sendable (inout ModelDocument) -> Bool

  // MARK: - A released version is edited

  private static func edit(_ name: String, _ change: @escaping Change) -> Self {
    Self(name: name, code: .changedVersion, severity: .error) { try $0.edit($0.current, change) }
  }

  private static let edits = [
    edit("an attribute of a released version gets another type") {
      $0.change(attribute: { $0.type == .string && $0.isPlain }) {
        $0.type = .binary
        $0.defaultValueString = nil
        $0.minValueString = nil
        $0.maxValueString = nil
      }
    },
    edit("an attribute of a released version becomes required, or optional") {
      $0.change(attribute: \.isPlain) { $0.isOptional.toggle() }
    },
    edit("an attribute of a released version is removed") { $0.removeAttribute() },
    edit("an attribute is added to a released version") { document in
      guard !document.entities.isEmpty else { return false }
      document.entities[0].attributes.append(.optional("plantedAttribute", .string))
      return true
    },
    edit("an entity is added to a released version") {
      $0.entities.append(.init(name: "PlantedEntity"))
      return !$0.entities.dropLast().isEmpty
    },
    edit("an entity of a released version is removed") { $0.removeEntity() },
    edit("an attribute of a released version is renamed") {
      $0.change(attribute: \.isPlain) { $0.name = "planted\($0.name)" }
    },
    edit("an attribute of a released version is renamed with an identifier") {
      $0.change(attribute: { $0.isPlain && $0.elementID == nil }) {
        $0.elementID = $0.name
        $0.name = "planted\($0.name)"
      }
    },
    edit("an attribute of a released version becomes transient") {
      $0.change(attribute: \.isPlain) { $0.isTransient = true }
    },
    edit("an attribute of a released version gets a hash modifier") {
      $0.change(attribute: \.isPlain) { $0.versionHashModifier = "planted" }
    },
    edit("a relationship of a released version becomes required, or optional") {
      $0.change(relationship: { !$0.isTransient }) { $0.isOptional.toggle() }
    },
    edit("a relationship of a released version gets another maximum") {
      $0.change(relationship: { $0.isToMany && !$0.isTransient }) { $0.maxCount = 77 }
    },
    edit("an entity of a released version becomes abstract") {
      guard let index = $0.entities.firstIndex(where: { !$0.isAbstract }) else { return false }
      $0.entities[index].isAbstract = true
      return true
    },
  ]

  // MARK: - Changes that version hashes do not see

  private static func hide(_ name: String, _ change: @escaping Change) -> Self {
    Self(name: name, code: .hiddenChange, severity: .warning) { try $0.edit($0.current, change) }
  }

  private static let hidden = [
    hide("a default value of a released version changes") {
      $0.change(attribute: { $0.type == .string && $0.isPlain }) { $0.defaultValueString = "planted" }
    },
    hide("the code generation of a released entity changes") {
      guard !$0.entities.isEmpty else { return false }
      $0.entities[0].codeGeneration = $0.entities[0].codeGeneration == nil ? .category : nil
      return true
    },
    hide("the class of a released entity changes") {
      guard !$0.entities.isEmpty else { return false }
      $0.entities[0].representedClassName = "PlantedClass"
      return true
    },
    hide("the user info of a released attribute changes") {
      $0.change(attribute: \.isPlain) { attribute in
        attribute.userInfo = (attribute.userInfo ?? []) + [.init(key: "planted", value: "1")]
      }
    },
    hide("a renaming identifier is set in a released version") {
      $0.change(attribute: \.isPlain) { $0.elementID = "plantedIdentifier" }
    },
    hide("a renaming identifier of a released entity is set") {
      guard let index = $0.entities.firstIndex(where: { $0.elementID == nil }) else { return false }
      $0.entities[index].elementID = "PlantedIdentifier"
      return true
    },
    hide("a fetch template is added to a released version") {
      guard let entity = $0.entities.first else { return false }
      $0.fetchRequests.append(.init(name: "PlantedTemplate", entity: entity.name))
      return true
    },
    hide("an index is added to a released version") { document in
      for index in document.entities.indices {
        guard let attribute = document.entities[index].attributes.first(where: \.isPlain) else { continue }
        document.entities[index].fetchIndexes.append(
          .init(name: "plantedIndex", elements: [.init(property: attribute.name)])
        )
        return true
      }
      return false
    },
    hide("the delete rule of a released relationship changes") {
      $0.change(relationship: { $0.deletionRule != .deny }) { $0.deletionRule = .deny }
    },
    hide("a validation rule of a released attribute changes") {
      $0.change(attribute: { $0.type == .string && $0.isPlain }) { $0.maxValueString = "77" }
    },
  ]
}
