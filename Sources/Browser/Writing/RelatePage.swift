import Foundation
import Hummingbird
import StoreEditing
import StoreExploration
import Texts

extension BrowserPages {
  /// Returns the page on which the user looks for the destination object of a relationship.
  func relatePage(
    _ object: EditedObject,
    relationship: String,
    items: QueryItems,
    writing: BrowserWriting
  ) async throws -> Response {
    let search = items["search"] ?? ""
    var query = GridQuery(entity: object.entity, items: items)
    if query.position?.value != nil { query.position = nil }
    let page = try await writing.session.candidates(
      for: relationship,
      of: object,
      search: search,
      at: query.position
    )
    let place = address.relate(page.owner.object, relationship: relationship)
    let fields = RelatePageFields(
      title: page.owner.name,
      entityName: Self.oneLine(object.entity),
      entityAddress: address.entity(object.entity),
      editAddress: address.edit(page.owner.object),
      relationshipName: Self.oneLine(relationship),
      destinationName: Self.oneLine(page.relationship.destination),
      action: place,
      search: search,
      verb: page.relationship.isToMany ? "add" : "set",
      verbName: page.relationship.isToMany ? "Add" : "Choose",
      creationAddress: address.creation(page.relationship.destination),
      fixedBecause: page.relationship.fixedBecause.map { frame.sentence($0) },
      previousPage: page.previous.map { place + Self.query(search, position: $0) },
      nextPage: page.next.map { place + Self.query(search, position: $0) },
      hasSearch: !search.isEmpty,
      isSearchable: page.isSearchable,
      hasPages: page.previous != nil || page.next != nil,
      candidates: (page.new + page.found).map(candidate)
    )
    let title = "\(Self.oneLine(relationship)) of \(page.owner.name)"
    return .page(frame.page(fields, title: title, tab: .entities, entity: object.entity))
  }

  private static func query(_ search: String, position: GridPosition) -> String {
    var items = search.isEmpty ? [] : [("search", search)]
    items.append((position.direction.rawValue, position.key.map { "\($0)" } ?? "end"))
    return PageAddress.query(items)
  }

  private func candidate(_ candidate: Candidates.Candidate) -> CandidateFields {
    CandidateFields(
      candidateName: candidate.link.name,
      candidateEntity: Self.oneLine(candidate.link.object.entity),
      candidateKey: candidate.link.object.text,
      candidateAddress: address.page(of: candidate.link.object),
      candidateWord: Self.word(candidate.link.object),
      isChosen: candidate.isChosen,
      isNewCandidate: candidate.link.object.isNew
    )
  }

  /// Stages the values of the form, and then the edit of the button that the user pressed.
  ///
  /// The button sends a verb, followed by an object. The verb "choose" leads to the page of the candidates.
  func relate(
    _ object: EditedObject,
    relationship: String,
    form: FormFields,
    writing: BrowserWriting
  ) async throws -> Response {
    let verb = form["do"] ?? ""
    let isMovedByNumber = verb == "places"
    let edit = verb == "choose" || isMovedByNumber ? nil : try Self.relationshipEdit(verb)
    if let refused = try await stageValues(of: object, fields: form, writing: writing) { return refused }
    if isMovedByNumber { return try await move(object, relationship: relationship, form: form, writing: writing) }
    guard let edit else { return .seeOther(address.relate(object, relationship: relationship)) }
    try await writing.session.edit(relationship, of: object, edit: edit)
    return .seeOther(address.edit(object) + Self.focus(after: edit, relationship: relationship))
  }

  /// Moves the objects of an ordered relationship to the numbers that the user typed, as one edit.
  private func move(
    _ object: EditedObject,
    relationship: String,
    form: FormFields,
    writing: BrowserWriting
  ) async throws -> Response {
    let shown = try await writing.session.form(of: object).relationships.first { $0.name == relationship }
    var focus = Self.relationshipMark(relationship)
    var places: [EditedObject: Int] = [:]
    for link in shown?.objects ?? [] {
      let typed = form[Self.placeName(of: link.object, relationship: relationship)] ?? ""
      let text = typed.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { continue }
      guard let place = Int(text) else {
        throw EditingFailure(
          code: .wrongValue,
          problem: "\(text) is not a place of \(link.name) in \(relationship)",
          remedy: "go back and give a whole number, such as 1 for the first place"
        )
      }
      places[link.object] = place
      focus = Self.mark("place", object: link.object, relationship: relationship)
    }
    try await writing.session.edit(relationship, of: object, edit: .place(places))
    return .seeOther(address.edit(object) + "#" + PageAddress.encoded(focus))
  }

  /// Returns the name of the field with an object's number.
  static func placeName(of object: EditedObject, relationship: String) -> String {
    "place.\(relationship).\(word(object))"
  }

  /// Returns the `id` of the element that gets the focus after an edit of a relationship's object.
  static func mark(_ verb: String, object: EditedObject, relationship: String) -> String {
    "\(verb)-\(relationship)-\(object.text)-\(object.entity)"
  }

  static func relationshipMark(_ relationship: String) -> String { "relationship-\(relationship)" }

  /// Returns the fragment of the element that gets the focus after an edit. It is the button that the user pressed,
  /// or the relationship's heading if the button no longer exists.
  private static func focus(after edit: RelationshipEdit, relationship: String) -> String {
    let mark =
      switch edit {
      case .move(let object, let distance):
        mark(distance < 0 ? "earlier" : "later", object: object, relationship: relationship)
      case .set, .add, .remove, .place: relationshipMark(relationship)
      }
    return "#" + PageAddress.encoded(mark)
  }

  private static func relationshipEdit(_ text: String) throws -> RelationshipEdit {
    let parts = text.split(separator: " ", maxSplits: 1)
    let object = parts.count == 2 ? Self.object(parts[1]) : nil
    switch (parts.first, object) {
    case ("none", nil): return .set(nil)
    case ("set", let object?): return .set(object)
    case ("add", let object?): return .add(object)
    case ("remove", let object?): return .remove(object)
    case ("earlier", let object?): return .move(object, by: -1)
    case ("later", let object?): return .move(object, by: 1)
    default: throw HTTPError(.badRequest, message: "The form asks for no edit of a relationship.")
    }
  }
}
