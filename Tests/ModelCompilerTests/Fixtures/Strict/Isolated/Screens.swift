public import CoreData

// A class of the main actor that the build completes from the model, and from which a generated class descends.

@MainActor public class Screen: NSManagedObject {
  var isEmpty: Bool { text?.isEmpty != false }
}
