import CoreData
import Foundation
import Testing

@Suite("A regular expression that takes more memory than its engine has")
struct RegularExpressionTests {
  private static let long = String(repeating: "line of a note\n", count: 20_000) + "word"
  private static let pattern = "(.|\\n)*word(.|\\n)*"

  /// Checks the number of notes that match. The database's own engine may match the text.
  private func check(_ stack: Stack, _ format: String, expected: Int) {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: format, Self.pattern)
    for context in [stack.context, stack.newContext()] {
      for answer in [Result { try context.count(for: request) }, Result { try context.fetch(request).count }] {
        switch answer {
        case .success(let count): #expect(count == expected, "\(format)")
        case .failure(let error):
          #expect(error.localizedDescription.contains("title MATCHES"), "\(format)")
          #expect(error.localizedDescription.contains("gave up"), "\(format)")
          #expect(error.localizedDescription.contains("Note/"), "\(format)")
        }
      }
    }
  }

  @Test(
    "a too costly regular expression fails the fetch with attribute and object, matched or not",
    arguments: StoreKind.takingBatches
  )
  func fetch(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note(Self.long)
    try stack.save()
    check(stack, "title MATCHES %@", expected: 1)
    check(stack, "NOT title MATCHES %@", expected: 0)
    check(stack, "rating == 3 AND NOT title MATCHES %@", expected: 0)
  }

  @Test("a too costly regular expression deletes nothing", arguments: StoreKind.takingBatches)
  func deletion(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    stack.note(Self.long)
    try stack.save()
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    request.predicate = NSPredicate(format: "NOT title MATCHES %@", Self.pattern)
    let outcome = Result { try stack.context.execute(NSBatchDeleteRequest(fetchRequest: request)) }
    if case .failure(let error) = outcome {
      #expect(error.localizedDescription.contains("title MATCHES"))
      #expect(error.localizedDescription.contains("Note/"))
    }
    #expect(try stack.fetch(Note.self, in: stack.newContext()).count == 1)
  }

  @Test("a too costly regular expression fails the validation with the reason", arguments: [true, false])
  func validation(_ isNegated: Bool) throws {
    let model = TestModel.make()
    let title = try #require(model.entitiesByName["Note"]?.attributesByName["title"])
    let rule = NSPredicate(format: isNegated ? "NOT SELF MATCHES %@" : "SELF MATCHES %@", Self.pattern)
    title.setValidationPredicates([rule], withValidationWarnings: ["it has no word"])
    let stack = try Stack(.inMemory, model: model)
    stack.note(Self.long)
    let error = try #require(throws: NSError.self) { try stack.save() }
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "title")
    #expect(error.localizedDescription.contains("gave up"))
  }
}
