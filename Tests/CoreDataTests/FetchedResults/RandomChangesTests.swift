import CoreData
import Foundation
import TestSupport
import Testing

@Suite("Random changes of fetched results")
struct RandomFetchedResultsTests {
  @Test(
    "reported changes turn a copy of the old sections into those of a new fetch",
    arguments: StoreKind.allCases,
    [1, 2, 3]
  )
  func replay(_ kind: StoreKind, _ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let stack = try Stack(kind)
    let categories = (0..<5).map { stack.category("\($0)") }
    let numbers: [Int?] = [1, 2, nil]
    var count = 0
    func make() {
      count += 1
      let note = stack.note(
        "\(Int.random(in: 0..<40, using: &random))",
        rating: .random(in: 0..<10, using: &random)
      )
      note.category = categories.randomElement(using: &random)
      note.setValue(numbers.randomElement(using: &random) ?? nil, forKey: "small")
      // A unique value makes the order total.
      note.setValue(count, forKey: "medium")
    }
    for _ in 0..<30 { make() }
    try stack.save()
    var controllers = [
      try stack.controller("rating < 7", sort: ["title", "medium"]),
      try stack.controller(
        "rating < 7",
        sort: ["category.name", "title", "medium"],
        sections: "category.name"
      ),
      try stack.controller(sort: ["rating", "medium"], sections: "rating"),
    ]
    // A child context is not notified of its parent's save, after which a fetch may return other objects.
    if !kind.isChild { controllers.append(try stack.controller("small != 2", sort: ["title", "medium"])) }
    let recorders = try controllers.map { controller in
      let recorder = ChangeRecorder(controller)
      try controller.performFetch()
      recorder.start(controller)
      return recorder
    }
    for round in 0..<Soak.rounds(60) {
      for _ in 0..<Int.random(in: 1...(round % 5 == 0 ? 25 : 4), using: &random) {
        let notes = try stack.fetch(Note.self, sort: [NSSortDescriptor(key: "medium", ascending: true)])
        let note = notes.randomElement(using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        // More notes are made than deleted. Without a limit, the time would grow with the square of the rounds.
        case 0...2: if notes.count < 80 { make() }
        case 3...4: if notes.count > 5 { note.map(stack.context.delete) }
        case 5: note?.title = "\(Int.random(in: 0..<40, using: &random))"
        case 6: note?.rating = .random(in: 0..<10, using: &random)
        case 7...8: note?.category = categories.randomElement(using: &random)
        case 9: note?.setValue(numbers.randomElement(using: &random) ?? nil, forKey: "small")
        default: note?.createdAt = Date()
        }
      }
      stack.context.processPendingChanges()
      if round % 7 == 0 { try stack.save() }
      for (controller, recorder) in zip(controllers, recorders) {
        #expect(recorder.isCopyOf(controller), "round \(round)")
        let fresh = try stack.context.fetch(controller.fetchRequest)
        #expect(controller.fetchedObjects == fresh, "round \(round)")
        for (section, info) in (controller.sections ?? []).enumerated()
        where controller.sectionNameKeyPath != nil {
          #expect(info.numberOfObjects > 0)
          let object = controller.object(at: IndexPath(item: 0, section: section))
          #expect(controller.indexPath(forObject: object)?.section == section)
        }
      }
    }
  }
}
