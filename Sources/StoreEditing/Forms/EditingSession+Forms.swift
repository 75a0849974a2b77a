import CoreData
import Foundation
import StoreExploration

extension EditingSession {
  /// The form of an object with its staged values, or with the store's values if it does not have staged changes.
  ///
  /// - Throws: `noSuchObject` if the object does not exist any more or its deletion is staged, and the store's errors.
  package func form(of object: EditedObject) async throws -> EditingForm {
    try await run { state in try FormReader(state: state).form(of: try state.currentObject(object)) }
  }

  /// The fields of an object that is not created yet, with the model's default values.
  ///
  /// - Throws: `unsuitableProperty` if the entity is abstract.
  package func fields(ofNew entity: String) async throws -> [EditingField] {
    try await run { state in FormReader(state: state).fields(of: try state.scratchObject(of: entity)) }
  }

  /// Stages values of an object as one edit.
  ///
  /// - Parameter inputs: the input for each field. Fields without input keep their values.
  /// - Returns: false if the object already had the values.
  /// - Throws: `WrongFields`, `noSuchObject`, and the store's errors. If it throws, nothing is staged.
  @discardableResult
  package func stage(_ inputs: [FieldPath: FieldInput], of object: EditedObject) async throws -> Bool {
    try await runEdit { state in
      let (object, changes) = try state.context.throwingReadFailures {
        let object = try state.currentObject(object)
        return (object, try FieldChanges(inputs, of: object))
      }
      if changes.values.isEmpty { return false }
      state.edit("Edit of \(state.words(object))") { changes.apply(to: object) }
      return true
    }
  }

  /// Stages a new object with values.
  ///
  /// - Throws: `WrongFields`, or `unsuitableProperty` if the entity is abstract. If it throws, nothing is staged.
  package func create(_ entity: String, inputs: [FieldPath: FieldInput]) async throws -> EditedObject {
    try await runEdit { state in
      let scratch = try state.scratchObject(of: entity)
      // A program's own class may set missing values when the object is inserted.
      let isPlain = type(of: scratch) == NSManagedObject.self
      let changes = try FieldChanges(inputs, of: scratch, checksAll: isPlain)
      var created: EditedObject?
      state.edit("Creation of \(entity)") {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: state.context)
        state.context.assign(object, to: state.explored.store)
        changes.apply(to: object)
        created = state.edited(object)
      }
      guard let created else {
        throw EditingFailure(code: .noSuchObject, problem: "no \(entity) was made", remedy: "try again")
      }
      return created
    }
  }
}

extension EditingState {
  /// An object without a context, for an entity's default values and the model's validation.
  func scratchObject(of name: String) throws -> NSManagedObject {
    let entity = try explored.entity(name)
    if entity.isAbstract {
      throw EditingFailure(
        code: .unsuitableProperty,
        problem: "\(name) is abstract, so that there are no objects of it",
        remedy: "create an object of one of its subentities"
      )
    }
    return NSManagedObject(entity: entity, insertInto: nil)
  }
}
