import CoreData
import Foundation
import Hummingbird
import StoreEditing
import StoreExploration
import Texts

extension BrowserPages {
  /// Returns the page with the form of an object.
  func editPage(_ object: EditedObject, writing: BrowserWriting) async throws -> Response {
    let form = try await writing.session.form(of: object)
    // A new object has a key once it is saved, and its form moves to another address.
    if form.link.object != object { return .seeOther(address.edit(form.link.object)) }
    return .page(render(form, entries: FormEntries(), problems: []))
  }

  /// Stages the values of a form, and leads back to the form.
  func edit(_ object: EditedObject, fields: FormFields, writing: BrowserWriting) async throws -> Response {
    if let refused = try await stageValues(of: object, fields: fields, writing: writing) { return refused }
    return .seeOther(address.edit(try await writing.session.form(of: object).link.object))
  }

  /// Stages the values of a form.
  ///
  /// - Returns: the form with the user's input and its errors, if a value is wrong, or if a save waits for another
  ///   program; no value is staged in that case. `nil` if the values are staged, and if the form has no values.
  func stageValues(of object: EditedObject, fields: FormFields, writing: BrowserWriting) async throws
    -> Response?
  {
    let form = try await writing.session.form(of: object)
    let entries = FormEntries(form: fields, fields: form.fields)
    if entries.inputs.isEmpty { return nil }
    do {
      try await writing.session.stage(entries.inputs, of: object)
      return nil
    } catch let wrong as WrongFields {
      let form = try await writing.session.form(of: object)
      return .page(render(form, entries: entries, problems: wrong.problems), status: .unprocessableContent)
    } catch let refusal as EditingFailure where refusal.code == .saveInProgress {
      let form = try await writing.session.form(of: object)
      return .page(render(form, entries: entries, problems: [], refusal: refusal), status: .conflict)
    }
  }

  /// Returns the page with the form for a new object.
  func creationPage(_ entity: String, writing: BrowserWriting) async throws -> Response {
    let description = try explored.entity(entity)
    let fields = description.isAbstract ? [] : try await writing.session.fields(ofNew: entity)
    return .page(render(description, present: fields, entries: FormEntries(), problems: []))
  }

  /// Stages a new object.
  func create(_ entity: String, fields: FormFields, writing: BrowserWriting) async throws -> Response {
    let present = try await writing.session.fields(ofNew: entity)
    let entries = FormEntries(form: fields, fields: present)
    do {
      let created = try await writing.session.create(entity, inputs: entries.inputs)
      return .seeOther(address.edit(created))
    } catch let wrong as WrongFields {
      let markup = render(
        try explored.entity(entity),
        present: present,
        entries: entries,
        problems: wrong.problems
      )
      return .page(markup, status: .unprocessableContent)
    } catch let refusal as EditingFailure where refusal.code == .saveInProgress {
      let entity = try explored.entity(entity)
      let markup = render(entity, present: present, entries: entries, problems: [], refusal: refusal)
      return .page(markup, status: .conflict)
    }
  }

  // MARK: - Markup

  /// - Parameter refusal: the reason why the form was not staged, apart from its values.
  private func render(
    _ form: EditingForm,
    entries: FormEntries,
    problems: [FieldProblem],
    refusal: EditingFailure? = nil
  ) -> String {
    let object = form.link.object
    let fields = EditPageFields(
      title: form.link.name,
      entityName: Self.oneLine(object.entity),
      entityAddress: address.entity(object.entity),
      action: address.edit(object),
      refusal: refusal.map(sentence),
      objectAddress: object.isNew ? nil : address.object(object),
      deletionAddress: address.deletion(object),
      isNew: object.isNew,
      isCreation: false,
      isEditable: true,
      deletesAtOnce: object.isNew,
      fields: self.fields(form.fields, entries: entries, problems: problems),
      problems: self.problems(problems, fields: form.fields),
      relationships: form.relationships.map { relationship($0, of: object) }
    )
    return frame.page(fields, title: "Edit of \(form.link.name)", tab: .entities, entity: object.entity)
  }

  private func render(
    _ entity: NSEntityDescription,
    present: [EditingField],
    entries: FormEntries,
    problems: [FieldProblem],
    refusal: EditingFailure? = nil
  ) -> String {
    let name = entity.name ?? ""
    let fields = EditPageFields(
      title: "New \(Self.oneLine(name))",
      entityName: Self.oneLine(name),
      entityAddress: address.entity(name),
      action: address.creation(name),
      refusal: refusal.map(sentence),
      isNew: true,
      isCreation: true,
      isEditable: !entity.isAbstract,
      isAbstract: entity.isAbstract,
      fields: self.fields(present, entries: entries, problems: problems),
      problems: self.problems(problems, fields: present),
      subentities: entity.subentities.map { subentity in
        SubentityFields(
          subentityName: Self.oneLine(subentity.name ?? ""),
          subentityAddress: address.creation(subentity.name ?? "")
        )
      }
    )
    return frame.page(fields, title: "New \(name)", tab: .entities, entity: name)
  }

  /// Returns the reason of a refused form and its remedy, as text of the page.
  private func sentence(_ refusal: EditingFailure) -> String {
    frame.sentence("\(refusal.problem); \(refusal.remedy)", atMost: 500)
  }

  static func oneLine(_ text: String) -> String { VisibleText(line: text, atMost: 200).description }

  private func problems(_ problems: [FieldProblem], fields: [EditingField]) -> [FieldProblemFields] {
    problems.map { problem in
      let index = fields.firstIndex { $0.path == problem.path }
      return FieldProblemFields(
        problemName: Self.oneLine(problem.path.description),
        problemWords: VisibleText(line: problem.message, atMost: 500).description,
        problemPlace: index.map { "#field-\($0)" }
      )
    }
  }

  private func fields(_ fields: [EditingField], entries: FormEntries, problems: [FieldProblem])
    -> [EditFieldFields]
  {
    fields.enumerated().map { index, field in
      let problem = problems.first { $0.path == field.path }
      return self.field(field, index: index, typed: entries.input(of: field), problem: problem?.message)
    }
  }

  /// Returns the template fields of an attribute, with the user's input after an error.
  private func field(_ field: EditingField, index: Int, typed: FieldInput?, problem: String?)
    -> EditFieldFields
  {
    let text = typed?.text ?? field.text
    var fields = EditFieldFields(
      index: "\(index)",
      fieldName: Self.oneLine(field.path.description),
      fieldType: field.type,
      fieldText: text,
      stamp: field.stamp,
      rules: field.rules.isEmpty ? nil : Self.oneLine(field.rules.joined(separator: "; ")),
      problemWords: problem.map { VisibleText(line: $0, atMost: 500).description },
      isRequired: !field.isOptional
    )
    switch field.access {
    case .editable(.line): fields.isLine = true
    case .editable(.date):
      fields.isDate = true
      fields.zone = Self.oneLine(LocalTime().zone.identifier)
      if case .date(let date) = field.value { fields.localDate = LocalTime().field(date) ?? "" }
    case .editable(.number):
      fields.isNumber = true
      if let bounds = field.bounds, bounds.isPositive { fields.inputMode = bounds.isWhole ? "numeric" : "decimal" }
      fields.minimum = field.bounds?.minimum
      fields.maximum = field.bounds?.maximum
    case .editable(.text):
      fields.isText = true
      fields.rows = "\(Self.rows(for: text))"
      fields.isCode = Self.isJSON(text)
      fields.isEmptyText = typed?.isEmptyText ?? field.isEmptyText
    case .editable(.boolean):
      fields.isBoolean = true
      let none = field.isOptional || text.isEmpty ? [""] : []
      fields.choices = (none + ["true", "false"]).map { choice in
        EditChoiceFields(choiceValue: choice, choiceName: choice.isEmpty ? "none" : choice, isChosen: choice == text)
      }
    case .clearable(let reason):
      fields.isShown = true
      fields.isClearable = field.value != .none
      fields.isCleared = typed?.isNone ?? false
      fields.reason = reason
    case .fixed(let reason):
      fields.isShown = true
      fields.reason = VisibleText(line: reason, atMost: 300).description
    }
    if field.value != .none { fields.shownText = field.value.plainText }
    return fields
  }

  /// Returns the number of rows of a text area: the lines of the text after wrapping, at most 24.
  private static func rows(for text: String) -> Int {
    let (most, columns) = (24, 80)
    var rows = 0
    for line in text.split(separator: "\n", maxSplits: most, omittingEmptySubsequences: false) {
      rows += max(1, (line.utf8.count + columns - 1) / columns)
      if rows >= most { return most }
    }
    return max(rows, 1)
  }

  /// Returns true for a JSON object or array, which the form shows in a monospaced font.
  private static func isJSON(_ text: String) -> Bool {
    guard let first = text.first(where: { !$0.isWhitespace }), first == "{" || first == "[" else {
      return false
    }
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
  }

  private func relationship(_ relationship: EditingRelationship, of object: EditedObject)
    -> EditRelationshipFields
  {
    let count = relationship.count
    return EditRelationshipFields(
      relationshipName: Self.oneLine(relationship.name),
      relationshipMark: Self.relationshipMark(relationship.name),
      relationshipAddress: address.relate(object, relationship: relationship.name),
      destinationName: Self.oneLine(relationship.destination),
      relatedCount: Self.number(count) + (relationship.fixedBecause != nil && count > 0 ? "+" : ""),
      fixedBecause: relationship.fixedBecause.map { frame.sentence($0) },
      untold: relationship.fixedBecause == nil && count > relationship.objects.count
        ? Self.number(count - relationship.objects.count) : nil,
      isToMany: relationship.isToMany,
      isOrdered: relationship.isOrdered,
      isNobody: count == 0,
      canChoose: relationship.fixedBecause == nil,
      canClear: relationship.fixedBecause == nil && !relationship.isToMany && count > 0
        && relationship.isOptional,
      destinations: relationship.objects.enumerated().map { index, link in
        EditDestinationFields(
          destinationTitle: link.name,
          destinationAddress: address.page(of: link.object),
          destinationWord: Self.word(link.object),
          place: "\(index + 1)",
          lastPlace: "\(count)",
          placeName: Self.placeName(of: link.object, relationship: relationship.name),
          placeMark: Self.mark("place", object: link.object, relationship: relationship.name),
          earlierMark: Self.mark("earlier", object: link.object, relationship: relationship.name),
          laterMark: Self.mark("later", object: link.object, relationship: relationship.name),
          canRemove: relationship.isToMany,
          canMove: relationship.isOrdered && relationship.fixedBecause == nil && count > 1
        )
      }
    )
  }
}

/// The user's input in a form.
struct FormEntries {
  private(set) var inputs: [FieldPath: FieldInput] = [:]

  /// Makes an empty input.
  init() {}

  init(form: FormFields, fields: [EditingField]) {
    for (index, field) in fields.enumerated() {
      let isNone = form["none.\(index)"] != nil
      switch field.access {
      case .fixed: continue
      case .clearable where !isNone: continue
      case .editable where form["text.\(index)"] == nil: continue
      case .clearable, .editable: break
      }
      inputs[field.path] = FieldInput(
        Self.chosenDate(form, index: index, field: field) ?? form["text.\(index)"] ?? "",
        isEmptyText: form["empty.\(index)"] != nil,
        isNone: isNone,
        stamp: form["stamp.\(index)"]
      )
    }
  }

  /// Returns the date from the date field, as a text with its time zone.
  ///
  /// It is `nil` if the user did not change the date, and if the user changed the text. The text has priority.
  private static func chosenDate(_ form: FormFields, index: Int, field: EditingField) -> String? {
    guard case .editable(.date) = field.access, let chosen = form["local.\(index)"],
      let former = form["local-was.\(index)"], chosen != former,
      form["text.\(index)"] == form["text-was.\(index)"]
    else { return nil }
    if chosen.isEmpty { return "" }
    return LocalTime().date(chosen).map { ShownDate.text($0) } ?? chosen
  }

  func input(of field: EditingField) -> FieldInput? { inputs[field.path] }
}
