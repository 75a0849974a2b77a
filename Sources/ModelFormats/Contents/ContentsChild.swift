/// A kind of element inside a part of a model document: how it is read and how it is written.
struct ContentsChild<Part>: Sendable {
  let name: String
  let read: @Sendable (inout Part, ContentsElement, ContentsContext) throws(ModelFileError) -> Void
  let write: @Sendable (Part) -> [ContentsElement]
  /// The parts of the document that the elements describe.
  let parts: @Sendable (Part) -> [any ContentsPart]
}

extension ContentsChild {
  /// Elements that may be repeated.
  static func many<Child: ContentsPart>(_ path: WritableKeyPath<Part, [Child]> & Sendable) -> Self {
    Self(name: Child.elementName) { part, element, context throws(ModelFileError) in
      part[keyPath: path].append(try Child(element, context: context))
    } write: {
      $0[keyPath: path].map(\.contentsElement)
    } parts: {
      $0[keyPath: path]
    }
  }

  /// An element that occurs once at most.
  static func one<Child: ContentsPart>(_ path: WritableKeyPath<Part, Child?> & Sendable) -> Self {
    Self(name: Child.elementName) { part, element, context throws(ModelFileError) in
      part[keyPath: path] = try Child(element, context: context)
    } write: {
      $0[keyPath: path].map { [$0.contentsElement] } ?? []
    } parts: { part in
      part[keyPath: path].map { [$0] } ?? []
    }
  }

  /// An element that only contains others: `<elements>` with `<element>` inside.
  ///
  /// Attributes and elements in it that are unknown are kept in an unknown element of the same name.
  static func wrapped<Child: ContentsPart>(
    in name: String,
    path: WritableKeyPath<Part, [Child]?> & Sendable
  ) -> Self where Part: ContentsPart {
    Self(name: name) { part, element, context throws(ModelFileError) in
      let inside = context.entering(element)
      var children: [Child] = []
      var unknown = element
      unknown.children = []
      for child in element.children {
        if child.name == Child.elementName {
          children.append(try Child(child, context: inside))
        } else {
          unknown.children.append(child)
        }
      }
      part[keyPath: path] = (part[keyPath: path] ?? []) + children
      if !unknown.attributes.isEmpty || !unknown.children.isEmpty { part.unknown.elements.append(unknown) }
    } write: { part in
      part[keyPath: path].map { [ContentsElement(name: name, children: $0.map(\.contentsElement))] } ?? []
    } parts: {
      $0[keyPath: path] ?? []
    }
  }
}
