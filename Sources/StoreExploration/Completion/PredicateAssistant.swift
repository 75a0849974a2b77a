package import CoreData
import Foundation
import Predicates

/// Helps a person to write a predicate for the objects of an entity: it suggests completions at the cursor and
/// finds the first error.
///
/// It accepts any text, even if it is wrong or long.
package struct PredicateAssistant: Sendable {
  /// The longest text that is checked, in bytes of UTF-8.
  package static let longestText = 100_000
  /// The largest number of completions in a result.
  package static let mostCompletions = 60

  private let entity: NSEntityDescription
  private let values: StoredValues

  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - coordinator: the coordinator whose stores have the values.
  ///   - timeForValues: the time limit for reading an attribute's values. If it is too short, the
  ///     completions contain no stored values.
  /// - Throws: an `ExplorationFailure` if the model does not have the entity.
  package init(
    entity: String,
    in coordinator: NSPersistentStoreCoordinator,
    timeForValues: Duration = .milliseconds(300)
  ) throws {
    let reading = StoreReading(coordinator: coordinator)
    self.entity = try reading.entity(entity)
    values = StoredValues(reading: reading, time: timeForValues)
  }

  // MARK: - Completions

  /// The completions at a cursor, the most probable first.
  ///
  /// - Parameter cursor: the number of UTF-16 units in front of the cursor.
  package func completions(of text: String, at cursor: Int) async -> [PredicateCompletion] {
    guard text.utf8.count <= Self.longestText else { return [] }
    let positions = TextPositions(text)
    let place = PredicateCursor(text, at: positions.utf8(ofUTF16: cursor), entity: entity)
    if place.isNowhere { return [] }
    let compared = Self.attribute(place.scanner.openComparison?.left)
    let candidates: [CompletionCandidates.Candidate]
    if place.isInText {
      let texts = if let compared { await values.texts(of: compared) } else { [String]() }
      candidates = texts.map { value in
        .init(text: PredicateText.text(value), kind: .value, detail: "in the store", matched: value)
      }
    } else {
      let values = if let compared { await values.spelled(of: compared) } else { [String]() }
      candidates = CompletionCandidates(place.scanner, in: entity, values: values).all
    }
    let range = positions.utf16(place.word)
    return Self.matching(place.typed, candidates: candidates, isInText: place.isInText).map {
      PredicateCompletion(text: $0.text, range: range, kind: $0.kind, detail: $0.detail)
    }
  }

  private static func attribute(_ operand: ScannedOperand?) -> NSAttributeDescription? {
    guard case .attribute(let attribute, _)? = operand?.path?.end else { return nil }
    return attribute
  }

  /// The candidates that begin with the typed text, followed by those that contain it.
  private static func matching(
    _ typed: String,
    candidates: [CompletionCandidates.Candidate],
    isInText: Bool
  ) -> [CompletionCandidates.Candidate] {
    let typed = typed.hasPrefix("#") && !isInText ? String(typed.dropFirst()) : typed
    var beginning: [CompletionCandidates.Candidate] = []
    var containing: [CompletionCandidates.Candidate] = []
    var known: Set<String> = []
    for candidate in candidates where known.insert(candidate.text).inserted {
      let matched = candidate.matched ?? candidate.text
      if typed.isEmpty || matched.range(of: typed, options: [.caseInsensitive, .anchored]) != nil {
        beginning.append(candidate)
      } else if candidate.kind != .word, matched.range(of: typed, options: .caseInsensitive) != nil {
        containing.append(candidate)
      }
    }
    return Array((beginning + containing).prefix(mostCompletions))
  }

  // MARK: - Problems

  /// The first problem of a text; `nil` if it is a valid predicate for the model.
  package func problem(in text: String) -> PredicateProblem? { TypedPredicate(text, entity: entity).problem }
}
