import CoreData
import Foundation
import Hummingbird
import StoreExploration
import Texts

extension BrowserPages {
  private static let comparedPerPage = 50

  /// Returns the page of an entity's objects with one kind of difference.
  func comparedPage(_ entity: String, items: QueryItems) async throws -> Response {
    let compared = try compared()
    guard let way = items["way"].flatMap(ComparedWay.init) else {
      throw HTTPError(.notFound, message: "The address names no way in which objects differ.")
    }
    let offset = max(0, items["offset"].flatMap(Int.init) ?? 0)
    let page = try await compared.stores.page(
      of: entity,
      kind: way.kind,
      offset: offset,
      limit: Self.comparedPerPage,
      within: readLimit
    )
    let counted = compared.stores.report.counts[entity].map(way.count)
    let last = offset + page.objects.count
    let fields = ComparedPageFields(
      entityName: Self.comparedText(entity),
      otherName: Self.comparedText(compared.name),
      comparisonAddress: address.comparison,
      wayTitle: way.title,
      total: Self.number(counted ?? page.listedCount),
      listed: (counted ?? 0) > page.listedCount ? Self.number(page.listedCount) : nil,
      pageWords: page.objects.isEmpty
        ? nil : "\(Self.number(offset + 1)) to \(Self.number(last)) of \(Self.number(page.listedCount))",
      previousPage: offset > 0
        ? address.compared(entity, way: way, offset: max(0, offset - Self.comparedPerPage)) : nil,
      nextPage: last < page.listedCount && !page.objects.isEmpty
        ? address.compared(entity, way: way, offset: last) : nil,
      isOne: (counted ?? page.listedCount) == 1,
      hasPages: offset > 0 || last < page.listedCount,
      objects: page.objects.map { line($0, entity: entity, way: way) }
    )
    let title = "\(Self.comparedText(entity)), \(way.title)"
    return .page(frame.page(fields, title: title, tab: .comparison, entity: entity))
  }

  private func line(_ object: ComparedObject, entity: String, way: ComparedWay) -> ComparedLineFields {
    let changed = object.properties.filter(\.isDifferent).map(\.name)
    let isGone =
      switch way {
      case .here: object.nameAfter == nil
      case .there: object.nameBefore == nil
      case .different: object.nameBefore == nil || object.nameAfter == nil
      }
    return ComparedLineFields(
      objectName: name(of: object, entity: entity),
      objectAddress: address.comparedObject(entity, keys: object.keys),
      properties: changed.isEmpty ? nil : Self.comparedText(changed.joined(separator: ", ")),
      formerName: object.nameBefore != object.nameAfter && way == .different
        ? object.nameBefore.map(Self.comparedText) : nil,
      isGone: isGone,
      isSameByNow: way == .different && !isGone && changed.isEmpty
    )
  }

  private func name(of object: ComparedObject, entity: String) -> String {
    if let name = object.name { return Self.comparedText(name) }
    return ObjectLink(entity: entity, key: object.keys.after ?? object.keys.before ?? 0).name
  }

  /// Returns the page of one object in both stores, property by property.
  func comparedObjectPage(_ entity: String, items: QueryItems) async throws -> Response {
    let compared = try compared()
    let keys = ComparedKeys(before: Self.key(items["there"]), after: Self.key(items["here"]))
    guard keys.before != nil || keys.after != nil,
      let object = try await compared.stores.object(keys, of: entity, within: readLimit)
    else { throw HTTPError(.notFound, message: "The address has no key of an object.") }
    guard object.nameBefore != nil || object.nameAfter != nil else {
      throw ExplorationFailure(
        code: .noSuchObject,
        problem: "neither store has this \(entity) any more",
        remedy: "compare the stores anew"
      )
    }
    let different = object.properties.filter(\.isDifferent)
    let isInBoth = object.nameBefore != nil && object.nameAfter != nil
    let others = object.properties.filter { !$0.isDifferent }
    let name = name(of: object, entity: entity)
    let way: ComparedWay = isInBoth ? .different : object.nameAfter == nil ? .there : .here
    let fields = ComparedObjectPageFields(
      title: name,
      entityName: Self.comparedText(entity),
      otherName: Self.comparedText(compared.name),
      comparisonAddress: address.comparison,
      listAddress: address.compared(entity, way: way),
      wayTitle: way.title,
      othersCount: Self.number(others.count),
      hereAddress: object.nameAfter == nil
        ? nil : keys.after.map { address.object(ObjectLink(entity: entity, key: $0)) },
      hereKey: keys.after.map { "\($0)" },
      thereKey: keys.before.map { "\($0)" },
      isInBoth: isInBoth,
      isOnlyHere: object.nameBefore == nil,
      isOnlyThere: object.nameAfter == nil,
      isSameByNow: isInBoth && different.isEmpty,
      isOneOther: others.count == 1,
      different: different.map { property($0) },
      others: others.map { property($0) }
    )
    let title = "\(name), compared"
    return .page(frame.page(fields, title: title, tab: .comparison, entity: entity))
  }

  private func property(_ property: ComparedObject.Property) -> ComparedPropertyFields {
    ComparedPropertyFields(
      propertyName: Self.comparedText(property.name),
      here: property.after.map { VisibleText(lines: $0).description },
      there: property.before.map { VisibleText(lines: $0).description },
      // Two different values may look alike, because long texts are cut and bytes are shown as their number.
      looksAlike: property.isDifferent && property.before == property.after
    )
  }

  private static func key(_ text: String?) -> Int64? {
    text.flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
  }
}
