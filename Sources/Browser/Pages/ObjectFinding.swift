import CoreData
import Foundation
import Hummingbird
import StoreEditing
import StoreExploration
import Texts

extension BrowserPages {
  /// Adds the fields of the links from an object's page to its grid and to the objects next to it.
  func addFinding(to fields: inout ObjectPageFields, page: ObjectPage, items: QueryItems) async {
    let origin = GridOrigin(items, entity: page.link.entity, in: explored)
    let key = page.link.key
    var words: [String] = []
    if !origin.query.predicate.isEmpty { words.append("filtered") }
    if origin.query.scope != nil { words.append("related") }
    let neighbors = await neighbors(of: key, origin: origin, items: items)
    fields.upAddress = address.row(of: key, in: origin.query)
    fields.upName = VisibleText(line: origin.query.entity, atMost: 200).description
    fields.upWords = words.isEmpty ? nil : words.joined(separator: ", ")
    fields.hasNeighbors = neighbors.previous != nil || neighbors.next != nil
    fields.previousObject = neighbors.previous
    fields.nextObject = neighbors.next
    fields.map = MapLink.address(page.attributes)
  }

  /// Returns the addresses of the adjacent objects if the store finds them quickly, or else addresses that search
  /// for them.
  private func neighbors(of key: Int64, origin: GridOrigin, items: QueryItems) async -> (
    previous: String?, next: String?
  ) {
    func address(_ neighbor: GridNeighbors.Neighbor) -> String {
      self.address.object(ObjectLink(entity: neighbor.entity, key: neighbor.key), from: origin)
    }
    do {
      let found = try await StoreGrid(explored).neighbors(of: key, in: origin.query, within: countLimit)
      return (found.previous.map(address), found.next.map(address))
    } catch let failure as ExplorationFailure where failure.code == .tookTooLong {
      let link = ObjectLink(entity: origin.query.entity, key: key)
      let rest = PageAddress.query(origin.items(of: link))
      let end = items["end"]
      return (
        end == "previous" ? nil : self.address.object(link) + "/previous" + rest,
        end == "next" ? nil : self.address.object(link) + "/next" + rest
      )
    } catch {
      // The filter in the address may be invalid by now. The page shows the object without its neighbors.
      return (nil, nil)
    }
  }

  /// Redirects to the object before or after an object in its grid, or to the object itself where there is none.
  func neighborPage(_ entity: String, key: Int64, isNext: Bool, items: QueryItems) async throws
    -> Response
  {
    let origin = GridOrigin(items, entity: entity, in: explored)
    let found = try await StoreGrid(explored).neighbors(of: key, in: origin.query, within: readLimit)
    if let neighbor = isNext ? found.next : found.previous {
      return .seeOther(address.object(ObjectLink(entity: neighbor.entity, key: neighbor.key), from: origin))
    }
    let link = ObjectLink(entity: entity, key: key)
    let items = origin.items(of: link) + [("end", isNext ? "next" : "previous")]
    return .seeOther(address.object(link) + PageAddress.query(items))
  }

  /// Returns the addresses of two grids: the objects with the same value of an attribute, and the objects with
  /// other values. The result is `nil` for a value that a predicate cannot express.
  func filters(of attribute: ObjectPage.Attribute, link: ObjectLink) -> ValueFiltersFields? {
    if attribute.isTransient || attribute.failure != nil { return nil }
    switch attribute.value {
    case .data, .fields, .described: return nil
    case .text(let text) where text.utf8.count > PropertyFilter.longestValue: return nil
    default: break
    }
    let place = "\(link.key).\(attribute.name)"
    return ValueFiltersFields(
      onlyAddress: address.entity(link.entity) + PageAddress.query([("only", place)]),
      withoutAddress: address.entity(link.entity) + PageAddress.query([("without", place)])
    )
  }

  /// Returns the objects of a relationship, with details that distinguish objects of the same name.
  ///
  /// - Parameter mark: the mark of an object's staged membership. Without it, the object's own staged change is marked.
  func relatedObjects(
    _ related: ObjectPage.Related,
    mark: (ObjectLink) -> String? = { _ in nil }
  ) -> [RelatedObjectFields] {
    let marks = writing?.session.marks
    let notes =
      related.isToMany
      ? Distinction.words(among: related.objects) : related.objects.map(Distinction.words(of:))
    return zip(related.objects, notes).enumerated().map { index, named in
      let (object, note) = named
      return RelatedObjectFields(
        objectTitle: object.name,
        objectAddress: address.object(object),
        objectPlace: related.isOrdered ? Self.number(index + 1) : nil,
        objectEntity: object.entity == related.entity
          ? nil : VisibleText(line: object.entity, atMost: 200).description,
        objectNote: note,
        objectMark: mark(object) ?? stagedMark(of: object, marks: marks)
      )
    }
  }
}

/// The address of a value that is a web link, if a browser can open it without harm.
enum WebLink {
  private static let longest = 2_000

  /// Returns the link.
  ///
  /// - Returns: `nil` for a text that is not a web address. Only `http` and `https` links lead out of the store.
  static func address(_ text: String) -> String? {
    guard text.utf8.count <= longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let url = URL(string: text), let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https",
      url.host?.isEmpty == false
    else { return nil }
    return text
  }
}

/// The link to a map of the place whose coordinates are attributes of an object.
enum MapLink {
  private static let latitudes: Set<String> = ["latitude", "lat"]
  private static let longitudes: Set<String> = ["longitude", "lon", "lng", "long"]

  /// Returns the link.
  ///
  /// - Returns: `nil` if the object has no coordinates, or they are not a place on the earth.
  static func address(_ attributes: [ObjectPage.Attribute]) -> String? {
    func number(_ names: Set<String>, upTo limit: Double) -> Double? {
      for attribute in attributes where names.contains(attribute.name.lowercased()) {
        guard case .number(let digits) = attribute.value, let number = Double(digits), abs(number) <= limit
        else { continue }
        return number
      }
      return nil
    }
    guard let latitude = number(latitudes, upTo: 90), let longitude = number(longitudes, upTo: 180) else { return nil }
    let (north, east) = (degrees(latitude), degrees(longitude))
    return "https://www.openstreetmap.org/?mlat=\(north)&mlon=\(east)#map=14/\(north)/\(east)"
  }

  /// Returns an angle in degrees, precise to a centimeter on the ground and without an exponent.
  private static func degrees(_ number: Double) -> String { String(format: "%.7f", number) }
}
