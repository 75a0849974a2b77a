import CoreData
import Foundation
import ModelFormats

/// The migration of a store from one version of its model to another.
struct MigrationPlan {
  let source: NSManagedObjectModel
  let destination: NSManagedObjectModel
  let mapping: NSMappingModel
  /// True when the user gave the mapping, and false when it is inferred.
  private let isGiven: Bool

  /// - Parameter file: a mapping model; nil to infer one.
  init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel, mapping file: String?) throws {
    self.source = source
    self.destination = destination
    isGiven = file != nil
    mapping =
      try file.map { try Self.read($0, source: source, destination: destination) }
      ?? NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
  }

  /// The changes as texts: a line for each changed entity.
  var changes: [String] {
    (mapping.entityMappings ?? []).compactMap { mapping in
      switch (mapping.sourceEntityName, mapping.destinationEntityName) {
      case (nil, let added?): return "entity \(added): added"
      case (let removed?, nil): return "entity \(removed): removed, with its objects"
      case (let former?, let name?):
        let changes = properties(mapping, former: former, name: name)
        return changes.isEmpty ? nil : "entity \(name): \(changes.joined(separator: "; "))"
      case (nil, nil): return nil
      }
    }
  }

  private func properties(_ mapping: NSEntityMapping, former: String, name: String) -> [String] {
    var changes = former == name ? [] : ["renamed from \(former)"]
    if let policy = mapping.entityMigrationPolicyClassName { changes.append("migrated by \(policy)") }
    for (key, word) in [("addedProperties", "adds"), ("removedProperties", "removes")] {
      let names = mapping.userInfo?[key] as? Set<String> ?? []
      if !names.isEmpty { changes.append("\(word) \(names.sorted().joined(separator: ", "))") }
    }
    if changes.isEmpty, mapping.sourceEntityVersionHash != mapping.destinationEntityVersionHash {
      changes.append("changed")
    }
    return changes
  }

  /// Checks that the inferred mapping removes nothing. The user's own mapping model is not checked, because
  /// it decides about all data.
  func requireNoLoss(_ store: StoreLocation) throws {
    #if !canImport(Darwin)
      if isGiven { return }
      let loss = ModelLoss(ModelCorrespondence(from: source.document, to: destination.document))
      if loss.isEmpty { return }
      throw CommandFailure(
        store: store,
        problem:
          "its model is in the store alone and may be later than the one given; the migration would lose \(loss.words)",
        remedy: "give its model with --from, or allow the loss with --allow-downgrade"
      )
    #endif
  }

  #if !canImport(Darwin)
    /// The removed entities and properties of which the store may have data. Of a mapping model that the user gave, only
    /// the entities are compared, because its expressions and policies may use the properties in any way.
    var removals: [ModelLoss.Removal] {
      guard isGiven else {
        return ModelLoss(ModelCorrespondence(from: source.document, to: destination.document)).removals
      }
      let mapped = (mapping.entityMappings ?? []).filter { $0.destinationEntityName != nil }
      let kept = Set(mapped.compactMap(\.sourceEntityName))
      return source.entities.filter { !$0.isAbstract }.compactMap(\.name).filter { !kept.contains($0) }
        .sorted()
        .map { ModelLoss.Removal(entity: $0) }
    }
  #endif

  private static func read(
    _ path: String,
    source: NSManagedObjectModel,
    destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure(file: path, problem: "there is no such mapping model", remedy: "check the path")
    }
    #if canImport(Darwin)
      guard let model = NSMappingModel(contentsOf: url) else {
        throw CommandFailure(
          file: path,
          problem: "this is not a compiled mapping model",
          remedy: "give a .cdm"
        )
      }
    #else
      let model = try NSMappingModel.load(
        contentsOf: url,
        forSourceModel: source,
        destinationModel: destination
      )
    #endif
    for mapping in model.entityMappings ?? [] {
      try check(mapping.sourceEntityName, hash: mapping.sourceEntityVersionHash, model: source, path: path)
      try check(
        mapping.destinationEntityName,
        hash: mapping.destinationEntityVersionHash,
        model: destination,
        path: path
      )
    }
    return model
  }

  private static func check(
    _ entity: String?,
    hash: Data?,
    model: NSManagedObjectModel,
    path: String
  ) throws {
    guard let entity, model.entityVersionHashesByName[entity] != hash else { return }
    throw CommandFailure(
      file: path,
      problem: "the mapping model is for another version of the entity \(entity)",
      remedy: "give one for these two versions, or none"
    )
  }
}
