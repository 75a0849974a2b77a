import ModelFormats

/// The classes that a build generates completely from models ("Class Definition").
package enum GeneratedClasses {
  /// The declaration of a class before its braces, for an author who writes the class by hand.
  package struct Heading: Hashable, Sendable {
    /// The text, such as `public class Note: NSManagedObject`.
    package var text: String
    /// The class's name in the Objective-C runtime, if the model does not name a module.
    package var objectiveCName: String?

    /// How to get a class that can override members.
    package var remedy: String {
      let attribute = objectiveCName.map { " (with @objc(\($0)) on Apple's platforms)" } ?? ""
      return """
        choose "Category/Extension" as the code generation of its entity, and write \(text)\(attribute) with the \
        override in it
        """
    }
  }

  /// The classes of models, by name. Models that cannot be read are skipped.
  package static func headings(ofModelsAt paths: [String]) -> [String: Heading] {
    var headings: [String: Heading] = [:]
    for document in ModelSources(readable: paths).models.map(\.document) {
      for entity in document.entities where entity.codeGeneration == .classDefinition {
        let module = entity.representedClassName?.split(separator: ".").first.map(String.init) ?? ""
        guard let type = EntityClass(entity, in: document, module: module) else { continue }
        headings[type.name] = Heading(type)
      }
    }
    return headings
  }
}

extension GeneratedClasses.Heading {
  init(_ type: EntityClass) {
    text = "public class \(type.name): \(type.superclassName)"
    objectiveCName = type.namesModule ? nil : type.name
  }

  /// The heading of a class of which only the name is known.
  package init(className: String) {
    text = "public class \(className): NSManagedObject"
    objectiveCName = className
  }
}
