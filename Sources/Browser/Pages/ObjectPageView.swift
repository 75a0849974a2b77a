import Foundation
import Hummingbird
import StoreEditing
import StoreExploration
import Texts

extension BrowserPages {
  private static let dumpedBytes = 1_024

  /// Returns the page of an object.
  func objectPage(_ entity: String, key: Int64, items: QueryItems) async throws -> Response {
    let page = try await StoreObjects(explored).page(of: entity, key: key, within: readLimit)
    let edited = EditedObject(entity: page.link.entity, key: page.link.key)
    let staged = try await writing?.session.stagedChanges(of: edited)
    let title = staged?.kind == .updated ? staged?.link.name ?? page.link.name : page.link.name
    let changes = StagedProperties(staged)
    var fields = ObjectPageFields(
      title: title,
      key: "\(page.link.key)",
      uri: page.address,
      deletion: address.object(page.link) + "/deletion",
      seed: address.object(page.link) + "/seed",
      edit: writing == nil ? nil : address.edit(edited),
      objectHistory: frame.tabs.contains(.history)
        ? address.history + PageAddress.query([("entity", page.link.entity), ("key", "\(page.link.key)")])
        : nil,
      notSaved: staged.map(self.staged),
      attributes: page.attributes.map { attribute($0, of: page.link, difference: changes[$0.name]) },
      parents: page.lineage.dropLast().map { name in
        ParentFields(parentName: Self.shown(name), parentAddress: address.entity(name))
      },
      related: page.relationships.map { related($0, link: page.link, difference: changes[$0.name]) },
      references: page.references.map { related($0, link: page.link) }
    )
    await addFinding(to: &fields, page: page, items: items)
    return .page(frame.page(fields, title: title, tab: .entities, entity: page.link.entity))
  }

  private static func shown(_ text: String) -> String { VisibleText(line: text, atMost: 200).description }

  private func attribute(
    _ attribute: ObjectPage.Attribute,
    of link: ObjectLink,
    difference: StagedChange.Difference?
  ) -> AttributeFields {
    var fields = AttributeFields(
      attributeName: Self.shown(attribute.name),
      attributeType: attribute.type,
      valueProblem: attribute.failure.map { frame.sentence($0, atMost: 500) },
      isTransient: attribute.isTransient,
      isDerived: attribute.isDerived,
      filters: filters(of: attribute, link: link)
    )
    if attribute.failure == nil {
      let markup = value(attribute.value, place: address.value(attribute.name, of: link), name: attribute.name)
      fields.value = EscapedText(markup: markup)
    }
    stage(attribute, difference: difference, of: link, in: &fields)
    return fields
  }

  /// Returns the markup of a complete value.
  ///
  /// - Parameter place: the address of the value's bytes in the saved store; `nil` for a staged value, whose bytes
  ///   have no address.
  func value(_ value: ShownValue, place: String?, name: String) -> String {
    var fields = ValueFields(imageName: Self.shown(name))
    switch value {
    case .none: fields.isNone = true
    case .number, .boolean, .date, .uuid: fields.line = value.plainText
    case .address(let text):
      fields.line = VisibleText(spelling: text).description
      fields.link = WebLink.address(text)
    case .text(let text): write(text, place: place, to: &fields)
    case .described(let text, let type):
      fields.block = VisibleText(lines: text).description
      fields.kind = VisibleText(line: type, atMost: 200).description
    case .data(let data, let count):
      fields.size = Self.bytes(count)
      fields.download = place
      switch DataContents(data) {
      case .image(let type):
        fields.image = place
        fields.imagePage = place.map(PageAddress.page(ofValueAt:))
        fields.kind = type
      case .text(let text, let kind):
        fields.block = VisibleText(lines: text.cut(to: DataContents.longestText)).description
        fields.kind = kind
      case .bytes:
        fields.dump = DataContents.dump(data, atMost: Self.dumpedBytes)
        fields.rest = count > Self.dumpedBytes ? Self.bytes(count - Self.dumpedBytes) : nil
      }
    case .fields(let elements):
      fields.elements = elements.map { element in
        ElementFields(
          elementName: Self.shown(element.name),
          elementValue: EscapedText(
            markup: self.value(
              element.value,
              place: place.map { "\($0).\(PageAddress.encoded(element.name))" },
              name: element.name
            )
          )
        )
      }
    }
    return Templates.render(fields)
  }

  /// Adds a text to the fields: on one line, or with its line breaks. JSON has one line for each member.
  private func write(_ text: String, place: String?, to fields: inout ValueFields) {
    if text.isEmpty {
      fields.kind = "empty text"
      return
    }
    if text.utf8.count > DataContents.longestText {
      fields.size = "\(Self.number(text.count)) characters"
      fields.download = place.map(PageAddress.page(ofValueAt:))
      fields.block = VisibleText(lines: text.cut(to: DataContents.longestText)).description
    } else if let json = JSONLayout(Data(text.utf8))?.text {
      fields.block = VisibleText(lines: json).description
      fields.download = place.map(PageAddress.page(ofValueAt:))
      fields.kind = "JSON"
    } else if text.utf8.count <= 120, !text.contains(where: \.isNewline) {
      fields.line = VisibleText(spelling: text).description
      fields.link = WebLink.address(text)
    } else {
      fields.block = VisibleText(lines: text).description
    }
  }

  private func related(
    _ related: ObjectPage.Related,
    link: ObjectLink,
    difference: StagedChange.Difference? = nil
  ) -> RelationshipFields {
    var query = GridQuery(entity: related.entity)
    query.scope = GridQuery.Scope(
      entity: link.entity,
      key: link.key,
      owner: related.owner,
      relationship: related.name
    )
    var fields = RelationshipFields(
      relationshipName: Self.shown(related.name),
      ownerName: Self.shown(related.owner),
      destinationName: Self.shown(related.entity),
      destinationAddress: address.entity(related.entity),
      deleteRule: related.deleteRule,
      relatedCount: Self.number(related.count) + (related.isCapped ? "+" : ""),
      inverseName: related.inverse.map(Self.shown),
      allAddress: related.isToMany && related.count > related.objects.count ? address.grid(query) : nil,
      gridAddress: related.isToMany && related.count > 0 ? address.grid(query) : nil,
      relatedProblem: related.failure.map { frame.sentence($0, atMost: 500) },
      isToMany: related.isToMany,
      isOrdered: related.isOrdered,
      isNobody: related.count == 0,
      objects: relatedObjects(related)
    )
    stage(related, difference: difference, in: &fields)
    return fields
  }
}
