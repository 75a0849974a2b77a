import Digests
public import Foundation

/// The version hashes of a model, which Core Data compares to find out whether a store was created with it.
///
/// The rules were found from Apple-made stores and models and reproduce all of them that are known.
public struct ModelVersionHashes: Sendable {
  /// The hash of each entity, 32 bytes, by name.
  public let entityHashes: [String: Data]
  /// All hashes together, as stores keep them under `NSPersistentStoreModelVersionChecksumKey` and compiled models as
  /// their version checksum: the SHA-256 of the hashes in the order of the names, in Base64.
  public let versionChecksum: String
  /// All hashes and names together, as stores keep them under `NSStoreModelVersionHashesDigest`: a SHA-512 in Base64.
  public let hashesDigest: String

  /// Computes the hashes of a model's entities.
  ///
  /// - Parameter document: the model; entities whose ancestors are missing in it are hashed as if they had none.
  public init(document: ModelDocument) {
    entityHashes = Self.entityHashes(of: document)
    versionChecksum = Self.versionChecksum(of: entityHashes)
    let namesAndHashes = Self.ordered(entityHashes).reduce(into: Data()) { $0 += Data($1.key.utf8) + $1.value }
    hashesDigest = Data(SHA512.hash(data: namesAndHashes)).base64EncodedString()
  }

  /// The hash of each entity, by name.
  static func entityHashes(of document: ModelDocument) -> [String: Data] {
    let properties = PropertyHasher(composites: document.composites)
    var hasher = EntityHasher(document: document, properties: properties)
    return hasher.hashAll()
  }

  /// The checksum of all hashes together.
  static func versionChecksum(of entityHashes: [String: Data]) -> String {
    let hashes = ordered(entityHashes).reduce(into: Data()) { $0 += $1.value }
    return Data(SHA256.hash(data: hashes)).base64EncodedString()
  }

  /// The hashes in the order of the names' bytes.
  static func ordered(_ entityHashes: [String: Data]) -> [(key: String, value: Data)] {
    entityHashes.sorted { BinaryOrder.isLess($0.key, right: $1.key) }
  }

  /// The hash of an attribute on its own.
  ///
  /// - Parameters:
  ///   - attribute: the attribute, as its entity has it.
  ///   - composites: the composites of the model, which composite attributes name.
  public static func hash(of attribute: ModelDocument.Attribute, composites: [ModelDocument.Composite] = []) -> Data {
    PropertyHasher(composites: composites).hash(attribute)
  }

  /// The hash of a relationship on its own.
  public static func hash(of relationship: ModelDocument.Relationship) -> Data { PropertyHasher().hash(relationship) }

  /// The hash of a fetched property, which is not included in its entity's hash. It covers the
  /// property's name, whether it is optional, and its modifier.
  public static func hash(of property: ModelDocument.FetchedProperty) -> Data {
    PropertyHasher()
      .base(property.name, isOptional: property.isOptional, modifier: property.versionHashModifier)
  }
}

/// The order of names by their bytes, in which hashes are combined.
enum BinaryOrder {
  static func isLess(_ left: String, right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}

private func sha256(_ bytes: Data) -> Data { Data(SHA256.hash(data: bytes)) }

/// Hashes attributes and relationships.
private struct PropertyHasher {
  private let composites: [String: ModelDocument.Composite]

  init(composites: [ModelDocument.Composite] = []) {
    self.composites = Dictionary(composites.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func hash(_ attribute: ModelDocument.Attribute) -> Data { hash(attribute, depth: 0) }

  private func hash(_ attribute: ModelDocument.Attribute, depth: Int) -> Data {
    if attribute.isDerived, let expression = attribute.derivationExpression { return sha256(Data(expression.utf8)) }
    if attribute.type == .composite { return hash(ofComposite: attribute.composite, depth: depth) }
    var bytes = base(attribute.name, isOptional: attribute.isOptional, modifier: attribute.versionHashModifier)
    bytes += littleEndian((attribute.type ?? .undefined).number)
    if attribute.allowsExternalBinaryDataStorage { bytes.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { bytes.append(1) }
    return sha256(bytes)
  }

  /// Nothing but the elements counts: neither the attribute's own name nor whether it is optional.
  private func hash(ofComposite name: String?, depth: Int) -> Data {
    let elements = name.flatMap { composites[$0] }?.attributes ?? []
    // A composite that contains itself is an error of the document, which its check reports.
    if depth > DocumentCheck.deepestComposite { return sha256(Data()) }
    let sorted = elements.sorted { BinaryOrder.isLess($0.name, right: $1.name) }
    return sha256(sorted.reduce(into: Data()) { $0 += hash($1, depth: depth + 1) })
  }

  func hash(_ relationship: ModelDocument.Relationship) -> Data {
    var bytes = base(relationship.name, isOptional: relationship.isOptional, modifier: relationship.versionHashModifier)
    bytes += Data((relationship.destinationEntity ?? "").utf8)
    bytes += Data((relationship.inverseName ?? "").utf8)
    bytes += littleEndian(UInt32(truncatingIfNeeded: relationship.effectiveMaxCount))
    bytes += littleEndian(UInt32(truncatingIfNeeded: relationship.effectiveMinCount))
    if relationship.isOrdered { bytes += [1, 0] }
    return sha256(bytes)
  }

  func base(_ name: String, isOptional: Bool, modifier: String?) -> Data {
    // The second byte is 0 in every hash that is known.
    sha256(Data(name.utf8) + [isOptional ? 1 : 0, 0] + Data((modifier ?? "").utf8))
  }

  private func littleEndian(_ number: UInt32) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}

/// Hashes entities, superentities first.
private struct EntityHasher {
  let document: ModelDocument
  let properties: PropertyHasher
  private let entities: [String: ModelDocument.Entity]
  private var hashes: [String: Data] = [:]
  /// The hashes of the persistent properties of each entity, inherited ones included, by name.
  private var propertyHashes: [String: [String: Data]] = [:]

  init(document: ModelDocument, properties: PropertyHasher) {
    self.document = document
    self.properties = properties
    entities = Dictionary(document.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func hashAll() -> [String: Data] {
    for entity in document.entities { hash(withAncestors: entity) }
    return hashes
  }

  /// Hashes an entity after those of its ancestors that have not been hashed.
  private mutating func hash(withAncestors entity: ModelDocument.Entity) {
    var chain: [ModelDocument.Entity] = []
    var seen: Set<String> = []
    var current: ModelDocument.Entity? = entity
    while let entity = current, hashes[entity.name] == nil, seen.insert(entity.name).inserted {
      chain.append(entity)
      current = entity.parentEntity.flatMap { entities[$0] }
    }
    for entity in chain.reversed() { hash(entity) }
  }

  private mutating func hash(_ entity: ModelDocument.Entity) {
    var hashed = entity.parentEntity.flatMap { propertyHashes[$0] } ?? [:]
    for attribute in entity.attributes where !attribute.isTransient {
      hashed[attribute.name] = properties.hash(attribute)
    }
    for relationship in entity.relationships where !relationship.isTransient {
      hashed[relationship.name] = properties.hash(relationship)
    }
    propertyHashes[entity.name] = hashed

    var bytes = Data(entity.name.utf8) + [entity.isAbstract ? 1 : 0]
    if let parentHash = entity.parentEntity.flatMap({ hashes[$0] }) {
      bytes += parentHash
    }
    for name in hashed.keys.sorted(by: BinaryOrder.isLess) { bytes += hashed[name] ?? Data() }
    for constraint in entity.uniquenessConstraints ?? [] {
      bytes += Data(constraint.properties.map(\.value).joined(separator: ".").utf8)
    }
    bytes += Data((entity.versionHashModifier ?? "").utf8)
    hashes[entity.name] = sha256(bytes)
  }
}
