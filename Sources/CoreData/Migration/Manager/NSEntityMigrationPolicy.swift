public import Foundation
import Predicates

/// Carries out one entity mapping. Subclasses override what they do otherwise, and are named in
/// ``NSEntityMapping/entityMigrationPolicyClassName``.
///
/// The methods are called in the three passes that Apple's Core Data Model Versioning and Data Migration Programming
/// Guide describes: instances of all mappings, relationships of all mappings, validation of all mappings.
///
/// ```swift
/// final class LanguagePolicy: NSEntityMigrationPolicy {
///   override func createDestinationInstances(
///     forSource sInstance: NSManagedObject,
///     in mapping: NSEntityMapping,
///     manager: NSMigrationManager
///   ) throws {
///     try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
///     let new = manager.destinationInstances(
///       forEntityMappingName: mapping.name,
///       sourceInstances: [sInstance]
///     )
///     for note in new { note.setValue("en", forKey: "language") }
///   }
/// }
/// ```
open class NSEntityMigrationPolicy: NSObject {
  /// Migrations make policies by their class.
  public required override init() { super.init() }

  /// Called before instances are made; does nothing.
  ///
  /// - Throws: an error of a subclass, which ends the migration.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes the objects of the destination for one of the source: one, with the values of the attribute mappings,
  /// associated with the source's. A mapping without an entity of the destination makes none.
  ///
  /// - Throws: `NSMigrationError` when an expression cannot be evaluated or its value does not have
  ///   the attribute's type.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    guard let name = mapping.destinationEntityName else { return }
    let entity = try manager.destinationEntity(named: name, in: mapping)
    let instance = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
    let evaluation = MappingEvaluation(manager: manager, mapping: mapping, policy: self)
    try evaluation.setAttributes(of: instance, from: sInstance)
    manager.associate(sourceInstance: sInstance, withDestinationInstance: instance, for: mapping)
  }

  /// Called when the instances of the mapping have been made; does nothing.
  ///
  /// - Throws: an error of a subclass, which ends the migration.
  open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Sets the relationships of one object of the destination by the relationship mappings.
  ///
  /// - Throws: `NSMigrationError` when an expression cannot be evaluated, or finds something else than objects.
  open func createRelationships(
    forDestination dInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(forEntityMappingName: mapping.name ?? "", destinationInstances: [dInstance])
    let evaluation = MappingEvaluation(manager: manager, mapping: mapping, policy: self)
    for source in sources { try evaluation.setRelationships(of: dInstance, from: source) }
  }

  /// Called when the relationships of the mapping have been set; does nothing.
  ///
  /// - Throws: an error of a subclass, which ends the migration.
  open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
  }

  /// Called before the objects of the destination are validated and saved; does nothing.
  ///
  /// - Throws: an error of a subclass, which ends the migration.
  open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
  }

  /// Called at the end of the mapping; does nothing.
  ///
  /// - Throws: an error of a subclass, which ends the migration.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Answers a message that an expression sends to `$entityPolicy`.
  ///
  /// Apple's framework calls the method of the subclass that has the selector. Without Objective-C
  /// a subclass overrides this method, and answers its selectors by name.
  ///
  /// - Parameters:
  ///   - selector: the name with its colons.
  ///   - arguments: the values of the arguments.
  /// - Throws: `NSEntityMigrationPolicyError` for a selector that is not known.
  open func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? {
    throw CocoaError.coreData(
      NSEntityMigrationPolicyError,
      message: """
        the policy \(type(of: self)) does not answer \(selector); override answer(_:_:) in it and call the method \
        from there.
        """
    )
  }

  open override var description: String { ObjectHead.text(self) }
}

extension NSEntityMigrationPolicy: MessageReceiver {}
