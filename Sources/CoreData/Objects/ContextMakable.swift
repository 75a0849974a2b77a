/// The protocol that `init(context:)` is a member of, so that a class that is known at run time
/// only can be asked for it.
///
/// Swift calls initialisers of classes on `Self`, or on a class in a variable, only where they are
/// required; on Apple's platforms that goes for none that comes from Objective-C. A required one
/// would have to be repeated as such by each subclass that has an `init(context:)` of its own.
public protocol ContextMakable: AnyObject {}

extension NSManagedObject: ContextMakable {}

extension ContextMakable where Self: NSManagedObject {
  /// Makes an object of the entity that its class stands for in the context's model, and inserts
  /// it.
  ///
  /// Apple's documentation of `NSManagedObject.init(context:)`.
  ///
  /// ```swift
  /// let note = Note(context: context)
  /// note.title = "Mend the fence"
  /// try context.save()
  /// ```
  public init(context: NSManagedObjectContext) {
    self.init(_madeIn: context)
  }
}
