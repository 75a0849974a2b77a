/// An object that stands for a record: predicates take two of them for the same when they stand for
/// the same one.
///
/// A managed object, its ID and its row in a store are equal in this way, though they are objects
/// of their own.
package protocol IdentifiedObject {
  /// The value that tells the record from all others.
  var recordIdentity: AnyHashable { get }
}
