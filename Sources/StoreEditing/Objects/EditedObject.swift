/// Identifies an edited object by its entity, and by its key or its number in the session.
package struct EditedObject: Hashable, Sendable {
  package enum Identity: Hashable, Sendable {
    /// The key in the store.
    case key(Int64)
    /// The session's number for an object that is not saved yet.
    case new(Int)
  }

  package let entity: String
  package let identity: Identity

  private static let newPrefix = "new-"

  package init(entity: String, identity: Identity) {
    self.entity = entity
    self.identity = identity
  }

  package init(entity: String, key: Int64) { self.init(entity: entity, identity: .key(key)) }

  /// Reads the form that ``text`` writes.
  ///
  /// - Returns: `nil` for any other text.
  package init?(entity: String, text: String) {
    if let key = Int64(text), key > 0, "\(key)" == text {
      self.init(entity: entity, key: key)
    } else if text.hasPrefix(Self.newPrefix), let number = Int(text.dropFirst(Self.newPrefix.count)),
      number > 0, "\(Self.newPrefix)\(number)" == text
    {
      self.init(entity: entity, identity: .new(number))
    } else {
      return nil
    }
  }

  /// The identity in the form of an address: the key as `12`, or `new-1` for an object without a key.
  package var text: String {
    switch identity {
    case .key(let key): "\(key)"
    case .new(let number): "\(Self.newPrefix)\(number)"
    }
  }

  package var isNew: Bool { if case .new = identity { true } else { false } }
}

/// An object that an edit identifies, and its name for people.
package struct EditedLink: Hashable, Sendable {
  package let object: EditedObject
  /// The name that `ObjectNames` makes from the staged values.
  package let name: String

  package init(object: EditedObject, name: String) {
    self.object = object
    self.name = name
  }
}
