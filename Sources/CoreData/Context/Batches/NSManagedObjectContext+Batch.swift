import Foundation
import Predicates

extension NSManagedObjectContext {
  final func executeRequest(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    checkConfinement("execute(_:)")
    pullReferences()
    switch request {
    case let request as NSBatchInsertRequest: return try execute(request)
    case let request as NSBatchUpdateRequest: return try execute(request)
    case let request as NSBatchDeleteRequest: return try execute(request)
    case let request as NSPersistentHistoryChangeRequest: return try execute(request)
    case let request as NSPersistentCloudKitContainerEventRequest: return try execute(request)
    case let request as any AnyFetchRequest: return try request.result(in: self)
    case let request as any AnyAsynchronousFetchRequest: return try request.begin(in: self)
    default:
      throw CocoaError.coreData(
        NSPersistentStoreUnsupportedRequestTypeError,
        message: """
          execute(_:) carries out fetches, asynchronous fetches, batch requests and requests for history, and was given \
          \(Swift.type(of: request)); save by save().
          """
      )
    }
  }

  private final func execute(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
    guard let coordinator = persistentStoreCoordinator else {
      _ = try connectedChannel()
      throw NSPersistentStoreCoordinator.noStores
    }
    return try coordinator.execute(request)
  }

  private final func execute(
    _ request: NSPersistentCloudKitContainerEventRequest
  ) throws -> NSPersistentCloudKitContainerEventResult {
    guard let coordinator = persistentStoreCoordinator else {
      _ = try connectedChannel()
      throw NSPersistentStoreCoordinator.noStores
    }
    return try request.result(in: coordinator)
  }

  // MARK: - Inserting

  private final func execute(_ request: NSBatchInsertRequest) throws -> NSBatchInsertResult {
    let entity = try entity(ofBatch: request.entityName)
    if entity.isAbstract {
      throw StoreFailure.operation(
        "entity \(entity.name ?? "") is abstract and can have no objects; insert into one of its subentities."
      )
    }
    let mergeType = (mergePolicy as? NSMergePolicy ?? .error).mergeType
    let source = try BatchRowSource(
      request,
      layout: entity.layout,
      context: self,
      tellsGiven: mergeType == .mergeByPropertyObjectTrumpMergePolicyType
    )
    let outcome = try connectedChannel().insertAll(
      BatchInsertion(
        layout: entity.layout,
        stores: request.storeIndexes,
        mergeType: mergeType,
        wantsReferences: request.resultType == .objectIDs,
        next: source.next,
        origin: origin
      )
    )
    let result: Any =
      switch request.resultType {
      case .statusOnly: true
      case .count: outcome.count
      case .objectIDs: outcome.references.map(objectID(for:))
      }
    return NSBatchInsertResult(result: result, resultType: request.resultType)
  }

  // MARK: - Updating

  private final func execute(_ request: NSBatchUpdateRequest) throws -> NSBatchUpdateResult {
    let entity = try entity(ofBatch: request.entityName)
    var query = FetchQuery(entity: entity)
    query.predicate = try request.predicate?.resolvingFetches()
    query.includesSubentities = request.includesSubentities
    query.includesRows = false
    query.stores = request.storeIndexes
    query.origin = origin
    let outcome = try connectedChannel().updateAll(
      BatchUpdate(
        query: query,
        assignments: try assignments(of: request, layout: entity.layout),
        wantsReferences: request.resultType == .updatedObjectIDsResultType
      )
    )
    let result: Any =
      switch request.resultType {
      case .statusOnlyResultType: true
      case .updatedObjectsCountResultType: outcome.count
      case .updatedObjectIDsResultType: outcome.references.map(objectID(for:))
      }
    return NSBatchUpdateResult(result: result, resultType: request.resultType)
  }

  private final func assignments(
    of request: NSBatchUpdateRequest,
    layout: EntityLayout
  ) throws -> [BatchUpdate.Assignment] {
    let properties = request.propertiesToUpdate ?? [:]
    if properties.isEmpty {
      throw StoreFailure.operation(
        """
        a batch update of \(layout.entity.name ?? "") has no propertiesToUpdate; set them to the names of attributes \
        with their new values.
        """
      )
    }
    let assignments = try properties.map { key, value in
      let slot = try self.slot(toUpdate: key.base, layout: layout)
      if let expression = value as? NSExpression {
        return BatchUpdate.Assignment(slot: slot, value: try self.value(of: expression, slot: slot, layout: layout))
      }
      return BatchUpdate.Assignment(slot: slot, value: .constant(try stored(value, slot: slot, layout: layout)))
    }
    return assignments.sorted { $0.slot < $1.slot }
  }

  private final func slot(toUpdate key: Any, layout: EntityLayout) throws -> Int {
    let name = (key as? NSPropertyDescription)?.name ?? key as? String ?? "\(key)"
    switch layout.places[name] {
    case .slot(let slot) where !layout.slots[slot].isTransient: return slot
    case .slot, .toMany:
      throw StoreFailure.operation(
        """
        \(layout.entity.name ?? "").\(name) cannot be changed by a batch update, which changes attributes and to-one \
        relationships that a store keeps; change it in a context.
        """
      )
    case nil: throw layout.unknownKey(name)
    }
  }

  private final func value(of expression: NSExpression, slot: Int, layout: EntityLayout) throws -> BatchUpdate.Value {
    if case .constant(let value) = expression.node { return .constant(try stored(value, slot: slot, layout: layout)) }
    guard layout.kind(slot) != .reference else {
      throw StoreFailure.operation(
        """
        the relationship \(layout.entity.name ?? "").\(layout.slots[slot].name) cannot be set to the expression \
        \(expression); set it to an object or its ID.
        """
      )
    }
    try CocoaError.ofPredicates { try TreeHeight.check(expression) }
    return .expression(expression)
  }

  private final func stored(_ value: Any?, slot: Int, layout: EntityLayout) throws -> StoredValue {
    if layout.kind(slot) == .reference { return try storedReference(value, slot: slot, layout: layout) }
    return try layout.storedValue(value, slot: slot, position: nil)
  }

  private final func storedReference(_ value: Any?, slot: Int, layout: EntityLayout) throws -> StoredValue {
    guard let value, !(value is NSNull) else { return .null }
    let reference: ObjectReference? =
      switch value {
      case let object as NSManagedObject: object.reference
      case let objectID as NSManagedObjectID: self.reference(of: objectID)
      default: nil
      }
    if let reference, !reference.isTemporary,
      let destination = layout.slots[slot].relationship?.frozenDestination,
      self.layout(reference.entity).entity.isKindOf(entity: destination)
    {
      return .reference(reference)
    }
    throw StoreFailure.operation(
      """
      a batch update sets the relationship \(layout.entity.name ?? "").\(layout.slots[slot].name) to \
      \(DescriptionNode.words(value)); set it to a saved object of the destination's entity, or to its ID.
      """
    )
  }

  // MARK: - Deleting

  private final func execute(_ request: NSBatchDeleteRequest) throws -> NSBatchDeleteResult {
    var outcome = BatchOutcome()
    try requireOneRoot(of: request.objectIDs ?? [])
    if request.objectIDs?.isEmpty != true {
      var query = try request.fetchRequest.query(for: try entity(of: request.fetchRequest))
      if let known = predicateOfKnownObjects(request) {
        let both = [known] + (request.isOfObjectIDsAlone ? [] : [query.predicate].compactMap(\.self))
        query.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: both)
      }
      query.includesRows = false
      query.stores = request.storeIndexes ?? query.stores
      query.origin = origin
      outcome = try connectedChannel().deleteAll(
        BatchDeletion(query: query, wantsReferences: request.resultType == .resultTypeObjectIDs)
      )
    }
    let result: Any =
      switch request.resultType {
      case .resultTypeStatusOnly: true
      case .resultTypeCount: outcome.count
      case .resultTypeObjectIDs: outcome.references.map(objectID(for:))
      }
    return NSBatchDeleteResult(result: result, resultType: request.resultType)
  }

  /// One fetch finds the objects, and so they have to be of one entity or its descendants.
  ///
  /// - Throws: `NSPersistentStoreOperationError` for IDs of entities that have no root in common.
  private final func requireOneRoot(of objectIDs: [NSManagedObjectID]) throws {
    let roots = Set(objectIDs.map { ObjectIdentifier($0.entity.root) })
    // Two models have two descriptions of the same entity.
    if roots.count < 2 || Set(objectIDs.map(\.entity.root.name)).count < 2 { return }
    let names = Set(objectIDs.compactMap(\.entity.name)).sorted()
    throw StoreFailure.operation(
      """
      NSBatchDeleteRequest(objectIDs:) was given IDs of the entities \(names.joined(separator: ", ")), which inherit from \
      no common entity; nothing was deleted. Make a request for each of them.
      """
    )
  }

  /// A predicate of the objects whose stores this coordinator has; `nil` where all IDs come from this coordinator.
  ///
  /// The reference in an ID of another coordinator means another object here.
  private final func predicateOfKnownObjects(_ request: NSBatchDeleteRequest) -> NSPredicate? {
    let objectIDs = request.objectIDs ?? []
    let isForeign = objectIDs.contains { id in !id.isTemporaryID && id.coordinatorNumber != registry.coordinatorNumber }
    guard isForeign else { return nil }
    let known = objectIDs.compactMap { id -> NSManagedObjectID? in
      var reference = reference(of: id)
      guard reference.store != ObjectReference.noStore,
        let entity = id.entity.name.flatMap({ connectedModel.entitiesByName[$0] })
      else { return nil }
      reference.entity = entity.layout.number
      return objectID(for: reference)
    }
    return NSPredicate(format: "SELF IN %@", known)
  }

  // MARK: - What they share

  final func objectID(for reference: ObjectReference) -> NSManagedObjectID {
    NSManagedObjectID(
      reference: reference,
      layout: layout(reference.entity),
      model: connectedModel,
      store: store(at: reference.store)
    )
  }

  private final func entity(ofBatch name: String) throws -> NSEntityDescription {
    let model = connectedModel
    if let entity = model.entitiesByName[name] { return entity }
    throw CocoaError.coreData(
      NSCoreDataError,
      message: """
        a batch request is for the entity \(name), which the model does not have; its entities are \
        \(model.entitiesByName.keys.sorted().joined(separator: ", ")).
        """
    )
  }
}

extension EntityLayout {
  /// The value that a batch update calculates for an attribute.
  ///
  /// - Throws: an error that names entity and key, for a value that does not have the attribute's
  ///   type, and for a number that does not fit a 64-bit integer.
  package func calculatedValue(_ value: Any?, slot: Int) throws -> StoredValue {
    if kind(slot) == .integer, let number = value as? Double, Int64(exactly: number.rounded(.towardZero)) == nil {
      throw CocoaError.coreData(
        NSManagedObjectValidationError,
        message: """
          \(entity.name ?? "").\(slots[slot].name) cannot be \(number), which does not fit the 64 bits of a whole number; \
          nothing was changed.
          """,
        userInfo: [NSValidationKeyErrorKey: slots[slot].name]
      )
    }
    return try storedValue(value, slot: slot, position: nil)
  }

  /// The value of an attribute as a row keeps it.
  ///
  /// - Parameter position: the object's place in its batch, which the error names.
  /// - Throws: an error that names entity and key, for a value that does not have the attribute's type.
  func storedValue(_ value: Any?, slot: Int, position: Int?) throws -> StoredValue {
    let type = slots[slot].attribute?.attributeType ?? .undefinedAttributeType
    if let stored = AttributeValue.stored(value, as: type) { return stored }
    throw CocoaError.coreData(
      NSManagedObjectValidationError,
      message: """
        \(position.map { "object \($0) of the batch: " } ?? "")\(entity.name ?? "").\(slots[slot].name) cannot be \
        \(DescriptionNode.words(value)) (\(value.map { "\(Swift.type(of: $0))" } ?? "nil")); give it a value of the attribute's type.
        """,
      userInfo: [NSValidationKeyErrorKey: slots[slot].name]
    )
  }
}
