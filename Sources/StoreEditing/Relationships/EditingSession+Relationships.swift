import CoreData
import Foundation
import StoreExploration

extension EditingSession {
  /// Stages a change of a relationship as one edit.
  ///
  /// - Returns: false if the relationship already had these destinations.
  /// - Throws: `unsuitableProperty`, `tooManyObjects`, `wrongValue`, `noSuchObject`, and the store's errors.
  ///   If it throws, nothing is staged.
  @discardableResult
  package func edit(_ relationship: String, of object: EditedObject, edit: RelationshipEdit) async throws
    -> Bool
  {
    try await runEdit { state in
      let (object, description, destinations, wanted) = try state.context.throwingReadFailures {
        let object = try state.currentObject(object)
        let description = try state.explored.relationship(relationship, of: object.entity)
        let destinations = StagedDestinations(relationship: description, object: object)
        try state.checkEditable(description, destinations: destinations)
        let present = destinations.all
        let wanted = try state.destinations(present, after: edit, relationship: description)
        return (object, description, destinations, wanted == present ? nil : wanted)
      }
      guard let wanted else { return false }
      try state.check(wanted, relationship: description, of: object)
      state.edit("Edit of \(relationship) of \(state.words(object))") { destinations.replace(with: wanted) }
      return true
    }
  }
}

extension EditingState {
  fileprivate func checkEditable(_ relationship: NSRelationshipDescription, destinations: StagedDestinations) throws {
    if relationship.isTransient {
      throw EditingFailure(
        code: .unsuitableProperty,
        problem: "\(relationship.name) is transient: no store has it",
        remedy: "edit another relationship"
      )
    }
    if try destinations.areTooMany {
      throw EditingFailure(
        code: .tooManyObjects,
        problem: "\(relationship.name) leads to more than \(StagedDestinations.most) objects",
        remedy: "edit it on the pages of the objects that it leads to"
      )
    }
  }

  /// The destinations after an edit.
  fileprivate func destinations(
    _ present: [NSManagedObject],
    after edit: RelationshipEdit,
    relationship: NSRelationshipDescription
  ) throws -> [NSManagedObject] {
    switch edit {
    case .set(nil) where !relationship.isToMany: return []
    case .set(let other?) where !relationship.isToMany: return [try destination(other, of: relationship)]
    case .add(let other) where relationship.isToMany:
      let other = try destination(other, of: relationship)
      return present.contains(other) ? present : present + [other]
    case .remove(let other):
      let other = try object(other)
      return present.filter { $0 !== other }
    case .move(let other, let distance) where relationship.isOrdered:
      let other = try object(other)
      guard let place = present.firstIndex(where: { $0 === other }) else { return present }
      let last = present.count - 1
      // A request may contain any distance.
      let target = min(max(place + min(max(distance, -last), last), 0), last)
      var moved = present
      moved.insert(moved.remove(at: place), at: target)
      return moved
    case .place(let places) where relationship.isOrdered:
      return try placed(present, at: places, relationship: relationship)
    case .set, .add, .move, .place:
      throw EditingFailure(
        code: .unsuitableProperty,
        problem:
          "\(relationship.name) is \(relationship.isToMany ? "a to-many" : "a to-one") relationship, for which "
          + "there is no such edit",
        remedy: relationship.isToMany ? "add and remove objects" : "set it, or set it to none"
      )
    }
  }

  /// The destinations with some of them at given places.
  private func placed(
    _ present: [NSManagedObject],
    at places: [EditedObject: Int],
    relationship: NSRelationshipDescription
  ) throws -> [NSManagedObject] {
    func refusal(_ problem: String, remedy: String) -> EditingFailure {
      EditingFailure(code: .wrongValue, problem: "\(relationship.name) \(problem)", remedy: remedy)
    }
    var wanted: [Int: NSManagedObject] = [:]
    for (edited, place) in places {
      guard (1...max(present.count, 1)).contains(place) else {
        throw refusal("has no place \(place)", remedy: "give a place from 1 to \(max(present.count, 1))")
      }
      let other = try object(edited)
      // Another edit may have removed it meanwhile.
      guard present.contains(where: { $0 === other }) else { continue }
      guard !wanted.values.contains(other) else {
        throw refusal("cannot have an object twice", remedy: "give it one place")
      }
      guard wanted.updateValue(other, forKey: place) == nil else {
        throw refusal("cannot have two objects in place \(place)", remedy: "give each object a place of its own")
      }
    }
    let moved = Set(wanted.values)
    var others = present.filter { !moved.contains($0) }[...]
    return present.indices.compactMap { wanted[$0 + 1] ?? others.popFirst() }
  }

  private func destination(_ edited: EditedObject, of relationship: NSRelationshipDescription) throws
    -> NSManagedObject
  {
    let found = try object(edited)
    guard let entity = relationship.destinationEntity, found.entity.isKindOf(entity: entity) else {
      throw EditingFailure(
        code: .wrongValue,
        problem:
          "\(relationship.name) leads to objects of \(relationship.destinationEntity?.name ?? "another entity")"
          + ", and not of \(found.entity.name ?? "this one")",
        remedy: "choose one of these"
      )
    }
    return found
  }

  /// Validates the destinations with the model's rules.
  fileprivate func check(
    _ wanted: [NSManagedObject],
    relationship: NSRelationshipDescription,
    of object: NSManagedObject
  ) throws {
    var value: AnyObject? = wanted.first
    if relationship.isToMany { value = relationship.isOrdered ? NSOrderedSet(array: wanted) : NSSet(array: wanted) }
    do {
      try object.validateValue(&value, forKey: relationship.name)
    } catch {
      let problems = ValidationFailures.single(of: error).map(\.localizedDescription)
      throw EditingFailure(
        code: .wrongValue,
        problem: problems.joined(separator: " "),
        remedy: relationship.isToMany ? "add or remove others first" : "choose another object"
      )
    }
  }
}
