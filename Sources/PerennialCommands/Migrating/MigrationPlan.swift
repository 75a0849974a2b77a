import CoreData
import Foundation

/// The way of a store from one version of its model to another.
struct MigrationPlan {
  let source: NSManagedObjectModel
  let destination: NSManagedObjectModel
  let mapping: NSMappingModel

  /// - Parameter file: a mapping model; one is inferred without.
  init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel, mapping file: String?) throws
  {
    self.source = source
    self.destination = destination
    mapping =
      try file.map { try Self.read($0, source, destination) }
      ?? NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
  }

  /// The changes in words, a line for each entity that has any.
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

  private static func read(
    _ path: String,
    _ source: NSManagedObjectModel,
    _ destination: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandFailure(path, "there is no such mapping model", remedy: "check the path")
    }
    #if canImport(Darwin)
      guard let model = NSMappingModel(contentsOf: url) else {
        throw CommandFailure(path, "this is no compiled mapping model", remedy: "give a .cdm")
      }
    #else
      let model = try NSMappingModel.load(
        contentsOf: url,
        forSourceModel: source,
        destinationModel: destination
      )
    #endif
    for mapping in model.entityMappings ?? [] {
      try check(mapping.sourceEntityName, mapping.sourceEntityVersionHash, source, path)
      try check(mapping.destinationEntityName, mapping.destinationEntityVersionHash, destination, path)
    }
    return model
  }

  private static func check(
    _ entity: String?,
    _ hash: Data?,
    _ model: NSManagedObjectModel,
    _ path: String
  ) throws {
    guard let entity, model.entityVersionHashesByName[entity] != hash else { return }
    throw CommandFailure(
      path,
      "the mapping model is for another version of the entity \(entity)",
      remedy: "give one for these two versions, or none"
    )
  }
}
