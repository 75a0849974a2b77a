import Foundation

extension AnyFetchRequest {
  /// `<NSFetchRequest: 0x…> (entity: Note; predicate: (rating > 3); sortDescriptors: ((null)); type:
  /// NSManagedObjectResultType; )` on one line. The values that differ from a new request's follow the type.
  func describe() -> String {
    let name = castOriginal === self ? nil : "NSFetchRequest"
    let predicate = (self.predicate?.printedText).orNull
    let sort = sortDescriptors.map { DescriptionNode.list($0.map(\.description)).text() }.orNull
    let facts = [
      "entity: \(entityName.orNull)", "predicate: (\(predicate))", "sortDescriptors: (\(sort))",
      "type: \(resultType.name)",
    ]
    let parts = (facts + settings).map { "\($0); " }.joined()
    return "\(ObjectHead.text(self, as: name)) (\(parts))"
  }

  /// The other settings of the request that differ from those of a new one.
  private var settings: [String] {
    var settings: [String] = []
    if fetchLimit != 0 { settings.append("fetchLimit: \(fetchLimit)") }
    if fetchOffset != 0 { settings.append("fetchOffset: \(fetchOffset)") }
    if fetchBatchSize != 0 { settings.append("fetchBatchSize: \(fetchBatchSize)") }
    if !includesSubentities { settings.append("includesSubentities: 0") }
    if !includesPropertyValues { settings.append("includesPropertyValues: 0") }
    if !includesPendingChanges { settings.append("includesPendingChanges: 0") }
    if !returnsObjectsAsFaults { settings.append("returnsObjectsAsFaults: 0") }
    if shouldRefreshRefetchedObjects { settings.append("shouldRefreshRefetchedObjects: 1") }
    if returnsDistinctResults { settings.append("returnsDistinctResults: 1") }
    if let paths = relationshipKeyPathsForPrefetching, !paths.isEmpty {
      settings.append("relationshipKeyPathsForPrefetching: \(DescriptionNode.list(paths).text())")
    }
    if let properties = propertiesToFetch { settings.append("propertiesToFetch: \(names(of: properties))") }
    if let properties = propertiesToGroupBy { settings.append("propertiesToGroupBy: \(names(of: properties))") }
    if let havingPredicate { settings.append("havingPredicate: (\(havingPredicate.printedText))") }
    if let affectedStores {
      settings.append("affectedStores: \(DescriptionNode.list(affectedStores.map(\.description)).text())")
    }
    return settings
  }

  private func names(of properties: [Any]) -> String {
    DescriptionNode.list(
      properties.map { DescriptionNode.propertyName(of: $0) }
    ).text()
  }
}

extension NSPredicate {
  /// The format, shortened.
  var printedText: String { DescriptionNode.shortened(printedFormat, atMost: DescriptionNode.Limit.scalarsOfObjects) }
}

extension NSFetchRequestResultType {
  /// The name of the constant in Objective-C, which Apple's framework prints.
  var name: String {
    switch self {
    case .managedObjectResultType: "NSManagedObjectResultType"
    case .managedObjectIDResultType: "NSManagedObjectIDResultType"
    case .dictionaryResultType: "NSDictionaryResultType"
    case .countResultType: "NSCountResultType"
    default: "\(rawValue)"
    }
  }
}

extension NSBatchInsertRequest {
  final func describe() -> String {
    let objects = objectsToInsert.map { "\($0.count)" }
    let isByHandler = dictionaryHandler != nil || managedObjectHandler != nil
    return ObjectHead.text(
      self,
      [
        ("entity", entityName), ("objectsToInsert", objects ?? (isByHandler ? "by a handler" : "(null)")),
        ("resultType", "\(resultType)"),
      ]
    )
  }
}

extension NSBatchUpdateRequest {
  final func describe() -> String {
    let names = (propertiesToUpdate ?? [:]).map { key, value in
      (AnyHashable(DescriptionNode.propertyName(of: key.base)), value)
    }
    let properties = Dictionary(names) { first, _ in first }
    return ObjectHead.text(
      self,
      [
        ("entity", entityName), ("predicate", "(\((predicate?.printedText).orNull))"),
        ("propertiesToUpdate", propertiesToUpdate == nil ? "(null)" : DescriptionNode.entries(properties).text()),
        ("includesSubentities", includesSubentities ? nil : "0"), ("resultType", resultType.name),
      ]
    )
  }
}

extension NSBatchUpdateRequestResultType {
  var name: String {
    switch self {
    case .statusOnlyResultType: "statusOnly"
    case .updatedObjectIDsResultType: "updatedObjectIDs"
    case .updatedObjectsCountResultType: "updatedObjectsCount"
    }
  }
}

extension NSBatchDeleteRequestResultType {
  var name: String {
    switch self {
    case .resultTypeStatusOnly: "statusOnly"
    case .resultTypeObjectIDs: "objectIDs"
    case .resultTypeCount: "count"
    }
  }
}

extension NSSaveChangesRequest {
  final func describe() -> String {
    func objects(_ objects: Set<NSManagedObject>?) -> String {
      objects.map { DescriptionNode.list($0.map(\.describedID).sorted()).text() }.orNull
    }
    return ObjectHead.text(
      self,
      [
        ("inserted", objects(insertedObjects)), ("updated", objects(updatedObjects)),
        ("deleted", objects(deletedObjects)), ("locked", objects(lockedObjects)),
      ]
    )
  }
}

extension NSPersistentStoreResult {
  /// A result that says its form and its content.
  final func describe(_ resultType: String, result: Any?) -> String {
    ObjectHead.text(self, [("resultType", resultType), ("result", DescriptionNode.value(result).text())])
  }
}

extension NSAsynchronousFetchResult {
  /// Describes the result by the number of what was found, and not by its contents, which may be
  /// very much and belong to the queue of the context.
  final func describe(count: Int?, of request: NSFetchRequest<ResultType>) -> String {
    ObjectHead.text(
      self,
      [
        ("fetchRequest", request.description), ("finalResult", count.map { "\($0) results" }.orNull),
        ("operationError", operationError.map { "\($0)" }),
      ]
    )
  }
}
