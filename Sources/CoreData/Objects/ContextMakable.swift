/// The protocol that the initialisers for classes that are known at run time only are members of.
///
/// Swift calls initialisers of classes on `Self`, or on a class in a variable, only where they are
/// required; on Apple's platforms that goes for none that comes from Objective-C. A required one
/// would have to be repeated as such by each subclass that has one of its own.
public protocol ContextMakable: AnyObject {}

extension NSManagedObject: ContextMakable {}

extension ContextMakable where Self: NSManagedObject {
  /// Makes an object of its class's entity in the context's model, and inserts it.
  ///
  /// Apple's documentation of `NSManagedObject.init(context:)`.
  ///
  /// ```swift
  /// let note = Note(context: context)
  /// note.title = "Mend the fence"
  /// try context.save()
  /// ```
  public init(context: NSManagedObjectContext) {
    context.checkConfinement("insert(_:)")
    self.init(_madeIn: context, of: nil)
  }

  /// Makes an object of an entity and inserts it into a context, or into none, where the class is
  /// known at run time only.
  ///
  /// It is `NSManagedObject.init(entity:insertInto:)`, which Swift does not call on a class in a variable or on `Self`.
  /// It has a type parameter because Swift would not find an initialiser of the same type next to that of the class.
  ///
  /// ```swift
  /// func make<Object: NSManagedObject>(_ type: Object.Type) -> Object {
  ///   Object(entity: Object.entity(), insertInto: context)
  /// }
  /// make(Note.self).title = "Oil the gate"
  /// try context.save()
  /// ```
  @_disfavoredOverload
  public init<Entity: NSEntityDescription>(entity: Entity, insertInto context: NSManagedObjectContext?) {
    context?.checkConfinement("insert(_:)")
    self.init(_madeIn: context, of: entity)
  }
}
