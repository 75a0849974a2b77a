/// A rule of the model that forbids a staged deletion.
package struct DeletionRefusal: Hashable, Sendable {
  /// The kinds of rules that forbid a deletion.
  package enum Rule: Hashable, Sendable {
    /// The delete rule is Deny, and the relationship still has objects.
    case deny
    /// The remaining objects require a value for the inverse relationship and would lose it.
    case requiredInverse(String)
  }

  /// The object that would be deleted.
  package let object: EditedLink
  /// The relationship of the object, as `Category.notes`.
  package let relationship: String
  /// The number of its destinations that would stay.
  package let count: Int
  package let rule: Rule

  /// The reason, in one sentence.
  package var words: String {
    let objects = count == 1 ? "1 object" : "\(count) objects"
    switch rule {
    case .deny: return "\(object.name) cannot be deleted while \(relationship) leads to \(objects)."
    case .requiredInverse(let inverse):
      return """
        \(object.name) cannot be deleted: \(objects) of \(relationship) must have a value for \(inverse).
        """
    }
  }
}
