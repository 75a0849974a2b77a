import StoreEditing
import StoreExploration

/// The staged changes of the object whose page is shown, by property.
struct StagedProperties {
  private let differences: [String: StagedChange.Difference]

  /// - Parameter object: `nil` for an object without staged changes.
  init(_ object: StagedObject?) {
    differences = Dictionary(
      (object?.changes ?? []).map { ($0.property, $0.difference) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  subscript(property: String) -> StagedChange.Difference? { differences[property] }
}

extension BrowserPages {
  /// Replaces an attribute's saved value with its staged value, and adds the saved one.
  func stage(
    _ attribute: ObjectPage.Attribute,
    difference: StagedChange.Difference?,
    of link: ObjectLink,
    in fields: inout AttributeFields
  ) {
    guard case .value(_, after: .value(let after))? = difference else { return }
    fields.value = EscapedText(markup: value(after, place: nil, name: attribute.name))
    // The filters select objects of the saved store by the saved value.
    fields.filters = nil
    if attribute.failure != nil { return }
    var saved = value(StagedValue.value(attribute.value))
    saved.savedWhole = savedWhole(attribute, of: link)
    fields.saved = saved
  }

  /// Returns the address of the saved value if the page shows it in part: the page of a text, and the file of bytes.
  private func savedWhole(_ attribute: ObjectPage.Attribute, of link: ObjectLink) -> String? {
    guard Self.isCut(attribute.value) else { return nil }
    let file = address.value(attribute.name, of: link)
    if case .text = attribute.value { return PageAddress.page(ofValueAt: file) }
    return file
  }

  /// Adds the staged change of a relationship to its saved destinations.
  func stage(_ related: ObjectPage.Related, difference: StagedChange.Difference?, in fields: inout RelationshipFields) {
    switch difference {
    case nil, .value(_, after: .value)?: return
    case .value(_, after: .object(let after))?:
      fields.objects = after.map { [staged($0, mark: nil)] } ?? []
      fields.isNobody = after == nil
      if related.failure == nil {
        let saved = related.objects.first.map { link in
          EditedLink(object: EditedObject(entity: link.entity, key: link.key), name: link.name)
        }
        fields.saved = value(StagedValue.object(saved))
      }
    case .members(let added, let removed, let untold, let order)?:
      let removed = Set(removed.map(\.object))
      let saved = relatedObjects(related) { link in
        removed.contains(EditedObject(entity: link.entity, key: link.key)) ? "removed" : nil
      }
      fields.objects = saved + added.map { staged($0, mark: "added") }
      fields.isNobody = related.count == 0 && added.isEmpty
      fields.stagedUntold = untold > 0 ? Self.number(untold) : nil
      fields.isReordered = order != nil
    }
  }

  /// Returns the fields of a staged destination in the list of a relationship.
  private func staged(_ link: EditedLink, mark: String?) -> RelatedObjectFields {
    RelatedObjectFields(
      objectTitle: link.name,
      objectAddress: address.page(of: link.object),
      objectPlace: nil,
      objectEntity: nil,
      objectNote: nil,
      objectMark: mark ?? (link.object.isNew ? StagedObject.Kind.inserted.mark : nil)
    )
  }
}
