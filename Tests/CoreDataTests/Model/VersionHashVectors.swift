import Foundation
import ModelFormats
import TestSupport

@testable import CoreData

/// Entity definitions and models, with their hashes from Apple's framework.
struct VersionHashVectors: Decodable {
  struct Entity: Decodable, CustomStringConvertible, Sendable {
    var entity: String
    var hash: Data
    var isAbstract: Bool
    var superentity: String?
    var superentityHash: Data?
    var versionHashModifier: String?
    var uniquenessConstraints: [[String]]
    var properties: [Property]
    var source: String

    var description: String { "\(entity) of \(source)" }
  }

  struct Property: Decodable, Sendable {
    var name: String
    var optional: Bool
    var inherited: Bool?
    var kind: String
    var transient: Bool?
    var type: UInt32?
    var derivationExpression: String?
    var preserveAfterDeletion: Bool?
    var destination: String?
    var inverse: String?
    var minCount: Int?
    var maxCount: Int?
    var deleteRule: UInt?
    var ordered: Bool?
    var computedPropertyHash: Data?
    /// The elements of a composite attribute.
    var elements: [Property]?
  }

  struct Model: Decodable, CustomStringConvertible, Sendable {
    var source: String
    var entityHashes: [String: Data]
    var hashesDigest: String?
    var versionChecksum: String?
    var xmlModel: String?

    enum CodingKeys: String, CodingKey {
      case source, entityHashes, versionChecksum, xmlModel
      case hashesDigest = "NSStoreModelVersionHashesDigest"
    }

    var description: String { source }

    /// The model's XML among the fixtures, or `nil` if it is missing.
    var fixture: URL? {
      guard let path = xmlModel?.split(separator: ":").last, !Self.changedSince.contains(source) else {
        return nil
      }
      return SharedFolder.contents.first { $0.hasSuffix("/" + path) }.map(SharedFolder.url)
    }

    /// The models that were made from an earlier version of the XML than the fixtures have.
    private static let changedSince: Set<String> = {
      let resources = "alemar11/CoreDataPlus:Tests/Resources"
      return [
        "alemar11/CoreDataPlus : 517be7___SampleModelV1.sqlite",
        "\(resources)/SampleModel/Fixtures/_SampleModel.momd/VersionInfo.plist:SampleModel",
        "\(resources)/SampleModel/Fixtures/SampleModel3.momd/VersionInfo.plist:SampleModel3_v2",
        "\(resources)/SampleModel/Fixtures/SampleModel3.momd/VersionInfo.plist:SampleModel3_v3",
        "\(resources)/SampleModel3/Fixtures/SampleModel3.momd/VersionInfo.plist:SampleModel3_v2",
        "\(resources)/SampleModel3/Fixtures/SampleModel3.momd/VersionInfo.plist:SampleModel3_v3",
      ]
    }()

    /// The definitions of the model's entities, found by their hashes; `nil` if one is unknown.
    func definitions(in entities: [VersionHashVectors.Entity]) -> [VersionHashVectors.Entity]? {
      let found = entityHashes.compactMap { name, hash in
        entities.first { $0.entity == name && $0.hash == hash }
      }
      return found.count == entityHashes.count ? found : nil
    }
  }

  var entities: [Entity]
  var models: [Model]

  /// The reason for skipping tests that need vectors. `Scripts/fixtures` downloads models and stores, but no vectors.
  static let reason = "the folder with lists of version hashes is not next to the package"

  static let all: VersionHashVectors? = {
    guard let data = try? Data(contentsOf: SharedFolder.url("format/version-hash-vectors.json")) else {
      return nil
    }
    return try? JSONDecoder().decode(VersionHashVectors.self, from: data)
  }()
}

/// The entities of a store with composite attributes, with their hashes from Apple's framework.
struct CompositeHashVectors: Decodable {
  struct Entity: Decodable, Sendable {
    var entity: String
    var hash: Data
    var isAbstract: Bool
    var uniquenessConstraints: [[String]]
    var properties: [VersionHashVectors.Property]
  }

  var entities: [Entity]
  var hashesDigest: String
  var versionChecksum: String

  enum CodingKeys: String, CodingKey {
    case entities
    case hashesDigest = "NSStoreModelVersionHashesDigest"
    case versionChecksum = "NSStoreModelVersionChecksumKey"
  }

  static let all: CompositeHashVectors? = {
    let url = SharedFolder.url("format/composite-hash-vectors.json")
    return try? JSONDecoder().decode(CompositeHashVectors.self, from: try Data(contentsOf: url))
  }()

  /// The model of the entities. A composite is named after its entity and its attribute.
  var document: ModelDocument {
    var document = ModelDocument()
    for vector in entities {
      var entity = ModelDocument.Entity(name: vector.entity)
      for property in vector.properties {
        guard property.kind == "attribute" else {
          entity.relationships.append(property.relationship)
          continue
        }
        var attribute = property.attribute
        if let elements = property.elements {
          attribute.composite = "\(vector.entity)-\(property.name)"
          document.composites.append(
            ModelDocument.Composite(name: attribute.composite ?? "", attributes: elements.map(\.attribute))
          )
        }
        entity.attributes.append(attribute)
      }
      entity.uniquenessConstraints = vector.uniquenessConstraints.map { .init(properties: $0) }
      document.entities.append(entity)
    }
    return document
  }
}

extension VersionHashVectors.Property {
  var attribute: ModelDocument.Attribute {
    var part = ModelDocument.Attribute(
      name: name,
      type: type.flatMap(ModelDocument.AttributeType.init(number:)) ?? .undefined
    )
    part.isOptional = optional
    part.isTransient = transient ?? false
    part.isDerived = derivationExpression != nil
    part.derivationExpression = derivationExpression
    part.preservesValueInHistoryOnDeletion = preserveAfterDeletion ?? false
    return part
  }

  var relationship: ModelDocument.Relationship {
    var part = ModelDocument.Relationship(name: name, destinationEntity: destination ?? "")
    part.isOptional = optional
    part.isTransient = transient ?? false
    part.inverseName = inverse
    part.minCount = minCount
    part.maxCount = maxCount
    part.isOrdered = ordered ?? false
    return part
  }
}

extension VersionHashVectors.Entity {
  /// The definition of this entity alone.
  var document: ModelDocument.Entity {
    var part = ModelDocument.Entity(name: entity)
    part.isAbstract = isAbstract
    part.parentEntity = superentity
    part.versionHashModifier = versionHashModifier
    part.uniquenessConstraints = uniquenessConstraints.map { .init(properties: $0) }
    part.attributes = properties.filter { $0.kind == "attribute" && $0.inherited != true }.map(\.attribute)
    part.relationships = properties.filter { $0.kind == "relationship" && $0.inherited != true }.map(
      \.relationship
    )
    return part
  }

  /// The definition with those of its ancestors, which are found by their hashes; `nil` if one is missing.
  func withAncestors(in entities: [VersionHashVectors.Entity]) -> [VersionHashVectors.Entity]? {
    guard let superentityHash else { return [self] }
    guard let parent = entities.first(where: { $0.hash == superentityHash }) else { return nil }
    return parent.withAncestors(in: entities).map { [self] + $0 }
  }
}
