/// The content that the guide promises for a store of albums and items after a combination's steps,
/// as plain values.
struct CombinationModel {
  private let row: Combination
  private(set) var notes: [String: String] = [:]
  /// The items of each album.
  private(set) var links: [String: [String]] = [:]
  private(set) var items: Set<String> = []
  private(set) var conflicts = 0

  private var kind: Combination.Kind { row.kind }

  /// The state after the first run, which creates all objects of the content.
  init(_ row: Combination, _ content: CombinationContent) {
    self.row = row
    makeAnew(content)
  }

  /// A line for each album.
  var albumLines: [String] {
    notes.keys.sorted().map { name in
      let items = links[name] ?? []
      let list = (keepsOrder ? items : items.sorted()).joined(separator: ",")
      let words = kind.isToOne && items.isEmpty ? "-" : list
      return "\(name)|\(notes[name] ?? "-")|\(words)"
    }
  }

  /// A line for each item.
  var itemLines: [String] { items.sorted() }

  /// True if the seed defines the order, because it has the lists.
  var keepsOrder: Bool { kind.isOrdered && row.side == .albums }

  // MARK: - Users

  /// Applies a user's changes between the runs.
  mutating func happen(_ event: Combination.Event) {
    switch event {
    case .same, .changed: break
    case .edited: notes["a"] = "mine"
    case .emptied: links["b"] = []
    case .deletedAlbum:
      notes["b"] = nil
      let left = links.removeValue(forKey: "b") ?? []
      if kind.isCascading { items.subtract(left) }
    case .deletedItem: delete("y")
    }
  }

  private mutating func delete(_ item: String) {
    items.remove(item)
    for name in links.keys { links[name]?.removeAll { $0 == item } }
  }

  private func albums(of item: String) -> [String] {
    links.filter { $0.value.contains(item) }.map(\.key).sorted()
  }

  // MARK: - Runs

  private mutating func makeAnew(_ content: CombinationContent) {
    notes = Dictionary(uniqueKeysWithValues: content.albums.map { ($0.name, $0.note) })
    links = Dictionary(uniqueKeysWithValues: content.albums.map { ($0.name, $0.items) })
    items = Set(content.items)
  }

  /// Applies a further run.
  /// - Parameter last: The content of the previous run.
  mutating func take(_ content: CombinationContent, after last: CombinationContent) {
    conflicts = 0
    guard row.setting != .replace else { return makeAnew(content) }
    let before = self
    let albums = content.albums.filter { album in
      before.notes[album.name] != nil || row.setting.restoresDeletedObjects || last.album(album.name) == nil
    }
    for album in albums { takeNote(album, before, last) }
    // The run ignores the items of albums that it leaves unchanged.
    let written = albums.filter { before.notes[$0.name] == nil || !row.setting.keepsPresentObjects }
    // It also ignores a list that owns its items if a merge leaves the list unchanged.
    let bringing = written.filter { !kind.owns || !leaves($0, before, last) }
    let brought = row.place == .nested ? bringing.flatMap(\.items) : content.items
    let created = Set(brought).filter { item in
      !before.items.contains(item) && (row.setting.restoresDeletedObjects || !last.items.contains(item))
    }
    if kind.hasKey { items.formUnion(created) }
    if row.side != .items { for album in written { takeItems(album, before, last) } }
    if row.side != .albums {
      for item in content.items where items.contains(item) {
        takeAlbums(of: item, content, isNew: created.contains(item), before, last)
      }
    }
    guard kind.hasKey else { return items = Set(links.values.joined()) }
    if kind.owns, row.side != .items {
      for item in before.items where !content.items.contains(item) {
        if !before.albums(of: item).isEmpty, self.albums(of: item).isEmpty { delete(item) }
      }
    }
    if row.setting.prunesItsOwn {
      for item in last.items where !content.items.contains(item) { delete(item) }
    }
  }

  private mutating func takeNote(
    _ album: CombinationContent.Album,
    _ before: Self,
    _ last: CombinationContent
  ) {
    guard let present = before.notes[album.name] else {
      links[album.name] = []
      return notes[album.name] = album.note
    }
    guard present != album.note, !row.setting.keepsPresentObjects else { return }
    guard row.setting.merges else { return notes[album.name] = album.note }
    switch last.album(album.name)?.note {
    case album.note: break
    case present: notes[album.name] = album.note
    default: conflicts += 1
    }
  }

  /// Applies an album's statement about its items.
  private mutating func takeItems(
    _ album: CombinationContent.Album,
    _ before: Self,
    _ last: CombinationContent
  ) {
    guard !leaves(album, before, last) else {
      if last.album(album.name)?.items != album.items { conflicts += 1 }
      return
    }
    var members = album.items.filter { !kind.hasKey || items.contains($0) }
    if kind == .added {
      let kept = (links[album.name] ?? []).filter { !album.removed.contains($0) }
      members = kept + members.filter { !kept.contains($0) }
    }
    if !kind.isShared {
      for item in members { for other in links.keys where other != album.name { unlink(item, other) } }
    }
    links[album.name] = members
  }

  /// True if a merge keeps an album's items: the seed's value is unchanged, or a user has changed
  /// it.
  private func leaves(_ album: CombinationContent.Album, _ before: Self, _ last: CombinationContent) -> Bool {
    guard row.setting.merges, let present = before.links[album.name], let former = last.album(album.name)
    else {
      return false
    }
    if former.items == album.items, former.removed == album.removed { return true }
    // A user cannot change an addition, because it is not a value.
    return kind != .added && !isSame(present, former.items)
  }

  /// Applies an item's statement about its albums.
  private mutating func takeAlbums(
    of item: String,
    _ content: CombinationContent,
    isNew: Bool,
    _ before: Self,
    _ last: CombinationContent
  ) {
    guard isNew || !row.setting.keepsPresentObjects else { return }
    let said = content.albums(of: item)
    if row.setting.merges, !isNew {
      let former = last.albums(of: item)
      guard former != said else { return }
      guard former == before.albums(of: item) else { return conflicts += 1 }
    }
    for name in links.keys {
      guard said.contains(name) else {
        unlink(item, name)
        continue
      }
      if kind.isToOne {
        links[name] = [item]
      } else if links[name]?.contains(item) != true {
        links[name]?.append(item)
      }
    }
  }

  private mutating func unlink(_ item: String, _ album: String) {
    links[album]?.removeAll { $0 == item }
  }

  private func isSame(_ one: [String], _ other: [String]) -> Bool {
    kind.isOrdered ? one == other : one.sorted() == other.sorted()
  }
}
