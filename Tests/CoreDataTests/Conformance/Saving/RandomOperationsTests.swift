import CoreData
import Foundation
import TestSupport
import Testing

@Suite("Random operations")
struct RandomOperationsTests {
  @Test("random operations leave the same objects and relationships in every store")
  func agreement() throws {
    for seed in 0..<Soak.rounds(12) {
      let graphs = try StoreKind.allCases.map { try Graph($0, seed: UInt64(seed)) }
      for round in 0..<8 {
        let dumps = try graphs.map { try $0.run(operations: 25) }
        for (graph, dump) in zip(graphs, dumps) {
          #expect(dump == dumps[0], "seed \(seed), round \(round), \(graph.stack.kind)")
          try #require(dump == dumps[0])
        }
      }
    }
  }

  /// One store under a sequence of operations that a seed determines.
  private final class Graph {
    let stack: Stack
    private var generator: SplitMix
    private var count = 0

    init(_ kind: StoreKind, seed: UInt64) throws {
      stack = try Stack(kind)
      generator = SplitMix(seed: seed)
    }

    /// Runs some operations, then saves or rolls back, and returns the contents that a fresh context finds.
    func run(operations: Int) throws -> [String] {
      for _ in 0..<operations { try operate() }
      if Int.random(in: 0..<5, using: &generator) == 0 {
        stack.context.rollback()
      } else {
        try stack.save()
      }
      let own = try dump(stack.context)
      let fresh = try dump(stack.newContext())
      #expect(own == fresh, "\(stack.kind)")
      return fresh
    }

    private func operate() throws {
      let notes = try stack.fetch(Note.self, sort: [.byTitle])
      let tags = try stack.fetch(Tag.self, sort: [.byName])
      let categories = try stack.fetch(Category.self, sort: [.byName])
      let note = notes.randomElement(using: &generator)
      let tag = tags.randomElement(using: &generator)
      let category = categories.randomElement(using: &generator)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0, 1: stack.note(name(), category, tags: Set(tag.map { [$0] } ?? []))
      case 2: _ = stack.tag(name())
      case 3: _ = stack.category(name())
      case 4: note?.category = category
      case 5: note?.category = nil
      case 6: if let note, let tag { note.tags.formSymmetricDifference([tag]) }
      case 7: if let note, let tag { tag.notes.formSymmetricDifference([note]) }
      case 8: category?.notes = Set(notes.filter { _ in Bool.random(using: &generator) })
      case 9: note?.rating = Int64.random(in: 0..<100, using: &generator)
      case 10: if let tag { stack.context.delete(tag) }
      default:
        if let victim = Bool.random(using: &generator) ? category : note { stack.context.delete(victim) }
      }
    }

    private func name() -> String {
      count += 1
      return String(format: "%04d", count)
    }

    private func dump(_ context: NSManagedObjectContext) throws -> [String] {
      let notes = try stack.fetch(Note.self, sort: [.byTitle], in: context).map { note in
        let tags = note.tags.compactMap(\.name).sorted().joined(separator: ",")
        return "\(note.title ?? "") \(note.rating) in \(note.category?.name ?? "-") with \(tags)"
      }
      let tags = try stack.fetch(Tag.self, sort: [.byName], in: context).map { tag in
        "\(tag.name ?? "") on \(tag.notes.compactMap(\.title).sorted().joined(separator: ","))"
      }
      let categories = try stack.fetch(Category.self, sort: [.byName], in: context).map { category in
        "\(category.name ?? "") of \(category.notes.compactMap(\.title).sorted().joined(separator: ","))"
      }
      return notes + tags + categories
    }
  }
}
