import ModelFormats

/// The classes that a build generates from models as a whole ("Class Definition").
package enum GeneratedClasses {
  /// The part of a class in front of its braces, as somebody writes it in place of the build.
  package struct Heading: Hashable, Sendable {
    /// `public class Note: NSManagedObject`.
    package var text: String
    /// The name that the class has in the Objective-C runtime, where the model names no module.
    package var objectiveCName: String?

    /// The way to a class that may override something.
    package var remedy: String {
      let attribute = objectiveCName.map { " (with @objc(\($0)) on Apple's platforms)" } ?? ""
      return """
        choose "Category/Extension" as the code generation of its entity, and write \(text)\(attribute) with the \
        override in it
        """
    }
  }

  /// The classes of some models, by name; models that cannot be read have none.
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

  /// A class of which nothing but the name is known.
  package init(className: String) {
    text = "public class \(className): NSManagedObject"
    objectiveCName = className
  }
}
