import CoreData
import Hummingbird

// The names that guides, and the examples in NotRun.swift, use without declaring them; see
// Documentation/HowToAdd/Example.md. The code is only compiled.

final class Note: NSManagedObject {
  @NSManaged var title: String
  @NSManaged var text: String?
  @NSManaged var createdAt: Date
  @NSManaged var isPinned: Bool
  @NSManaged var rating: Int64
  @NSManaged var author: Author?

  var isSigned: Bool { author != nil }

  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
}

final class Author: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var notes: Set<Note>
}

struct SignIn<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response { try await next(request, context) }
}

var container: NSPersistentContainer { fatalError("nothing is run") }
var description: NSPersistentStoreDescription { NSPersistentStoreDescription(url: url) }
var coordinator: NSPersistentStoreCoordinator { container.persistentStoreCoordinator }
var context: NSManagedObjectContext { container.viewContext }
var model: NSManagedObjectModel { container.managedObjectModel }
var oldModel: NSManagedObjectModel { model }
var note: Note { fatalError("nothing is run") }
var notes: [Note] { [] }
/// A file, or the contents of a download.
var url: URL { URL(fileURLWithPath: "/dev/null") }

extension Bundle {
  /// The resources of the reader's target, as the package manager declares them.
  static var module: Bundle { .main }
}
