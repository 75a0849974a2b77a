import CoreData
import Foundation
import Predicates
package import StoreExploration

/// A page of objects that can be destinations of a relationship.
package struct Candidates: Sendable {
  package struct Candidate: Sendable {
    package let link: EditedLink
    /// True if the object is already a destination.
    package let isChosen: Bool
  }

  package let owner: EditedLink
  package let relationship: EditingRelationship
  /// The unsaved objects of the session. Only the first page has them.
  package let new: [Candidate]
  /// The objects of the store, in the order of their keys.
  package let found: [Candidate]
  package let previous: GridPosition?
  package let next: GridPosition?
  /// True if the objects can be searched by name, which requires that a text attribute names them.
  package let isSearchable: Bool
}

extension EditingSession {
  /// The number of candidates on a page.
  private static let candidatesPerPage = 20

  /// A page of possible destinations of a relationship. It reads only its own objects, in the order of their keys.
  ///
  /// - Parameters:
  ///   - search: a part of the objects' names; empty for all objects.
  ///   - position: the position at which the page begins; `nil` for the first page.
  /// - Throws: `noSuchObject`, `ExplorationFailure`, the store's errors.
  package func candidates(
    for relationship: String,
    of object: EditedObject,
    search: String = "",
    at position: GridPosition? = nil
  ) async throws -> Candidates {
    let side = try await run { state in try state.side(relationship, of: object) }
    var query = GridQuery(entity: side.relationship.destination)
    query.predicate = try NameSearch(try explored.entity(query.entity)).predicate(search)
    query.position = position
    let grid = StoreGrid(explored)
    let page = try await grid.page(query, size: Self.candidatesPerPage, within: limit)
    let links = page.rows.map(\.link)
    return try await run { state in
      try state.candidates(
        side,
        links: links,
        search: search,
        isFirst: position == nil,
        previous: page.previous,
        next: page.next
      )
    }
  }
}

/// Finds the objects whose names contain a text.
private struct NameSearch {
  /// The longest search text, in bytes.
  private static let longest = 200
  private let attributes: [String]

  init(_ entity: NSEntityDescription) {
    attributes = ObjectNames.rule(for: entity).keyPaths.filter { path in
      entity.attributesByName[path]?.attributeType == .stringAttributeType
    }
  }

  var isPossible: Bool { !attributes.isEmpty }

  func predicate(_ search: String) throws -> String {
    let search = search.trimmingCharacters(in: .whitespacesAndNewlines)
    if search.isEmpty || !isPossible { return "" }
    guard search.utf8.count <= Self.longest else {
      throw EditingFailure(
        code: .wrongValue,
        problem: "the search has more than \(Self.longest) bytes",
        remedy: "shorten it"
      )
    }
    return attributes.map { NSPredicate(format: "%K CONTAINS[cd] %@", $0, search).printedFormat }
      .joined(separator: " OR ")
  }
}

/// One side of a relationship, and its staged destinations.
private struct RelationshipSide: Sendable {
  let owner: EditedLink
  let relationship: EditingRelationship
  let chosen: Set<EditedObject>
}

extension EditingState {
  fileprivate func side(_ name: String, of edited: EditedObject) throws -> RelationshipSide {
    let object = try currentObject(edited)
    let description = try explored.relationship(name, of: object.entity)
    let form = try FormReader(state: self).form(of: object)
    guard let relationship = form.relationships.first(where: { $0.name == name }) else {
      throw EditingFailure(
        code: .unsuitableProperty,
        problem: "\(name) has no form",
        remedy: "edit another relationship"
      )
    }
    let destinations = StagedDestinations(relationship: description, object: object)
    let chosen = try destinations.areTooMany ? [] : destinations.all
    return RelationshipSide(owner: form.link, relationship: relationship, chosen: Set(chosen.map(self.edited)))
  }

  fileprivate func candidates(
    _ side: RelationshipSide,
    links: [ObjectLink],
    search: String,
    isFirst: Bool,
    previous: GridPosition?,
    next: GridPosition?
  ) throws -> Candidates {
    let entity = try explored.entity(side.relationship.destination)
    let found: [EditedLink] = links.compactMap { stored in
      let edited = EditedObject(entity: stored.entity, key: stored.key)
      guard let id = explored.coordinator.objectID(of: entity, key: stored.key),
        let known = context.registeredObject(for: id), known.hasChanges
      else { return EditedLink(object: edited, name: stored.name) }
      return known.isDeleted ? nil : link(known)
    }
    let new =
      isFirst
      ? StagedDestinations.sorted(context.insertedObjects.filter { $0.entity.isKindOf(entity: entity) }) : []
    let newLinks = new.map(link).filter { link in
      search.isEmpty
        || link.name.range(of: search, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }
    func candidate(_ link: EditedLink) -> Candidates.Candidate {
      Candidates.Candidate(link: link, isChosen: side.chosen.contains(link.object))
    }
    return Candidates(
      owner: side.owner,
      relationship: side.relationship,
      new: newLinks.prefix(Self.mostNewCandidates).map(candidate),
      found: found.map(candidate),
      previous: previous,
      next: next,
      isSearchable: NameSearch(entity).isPossible
    )
  }

  private static let mostNewCandidates = 20
}
