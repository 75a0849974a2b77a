import CoreData
import Foundation

/// A command of `perennial` that writes a store of an album of photos, whose images are external data.
struct CommandWorkload: Workload {
  enum Command: Sendable {
    /// Adds seeded photos to a store with photos. More than 20,000 photos take several saves in one transaction.
    case seed(photos: Int)
    case buildStore(replaces: Bool)
    case migrate
    case copy
    case copyToXML
    case repair
    case dump
    /// Backs a store up, into a new file or over an earlier backup.
    case backup(replaces: Bool)
  }

  let name: String
  let command: Command

  private static let (firstPhotos, morePhotos) = (5, 40)

  // A seeding is one transaction. The other commands report success only after their changes are durable.
  var durability: Durability {
    switch command {
    case .seed, .repair: .synchronised
    default: .acknowledged
    }
  }

  var mostRuns: Int? {
    if case .seed(let photos) = command, photos > 20_000 { 30 } else { nil }
  }

  private func target(_ place: WorkPlace) -> URL { place.file(targetName) }

  private var targetName: String {
    switch command {
    case .copy: "copy.sqlite"
    case .copyToXML: "copy.xml"
    case .dump: "dump.json"
    case .backup: "backup.sqlite"
    default: "store.sqlite"
    }
  }

  // MARK: - Work

  func prepare(_ place: WorkPlace) throws {
    let photos: Int
    if case .seed(let count) = command { photos = count } else { photos = Self.morePhotos }
    try AlbumFiles(place.inputs).write(first: Self.firstPhotos, more: photos)
    switch command {
    case .buildStore(replaces: false): return
    default: try perennial(["seed", model(place), seed("first", place), "--store", place.store.path])
    }
    if case .backup(replaces: true) = command {
      try perennial(["backup", place.store.path, "-o", target(place).path])
      try perennial(["seed", model(place), seed("more", place), "--store", place.store.path])
    }
    if case .repair = command {
      try SQLiteShell.ask(place.store, "UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
      let folder = place.file(".store_SUPPORT/_EXTERNAL_DATA")
      try Data("of no row".utf8).write(to: folder.appendingPathComponent(UUID().uuidString))
    }
  }

  private func model(_ place: WorkPlace, _ name: String = "Album") -> String {
    place.inputs.appendingPathComponent("\(name).xcdatamodel").path
  }

  private func seed(_ name: String, _ place: WorkPlace) -> String {
    place.inputs.appendingPathComponent("\(name).jsonl").path
  }

  private func perennial(_ arguments: [String]) throws {
    let ended = try ChildProcess(Programs.perennial, arguments).run()
    guard ended.status == .exited(0) else {
      throw CrashStore.Wrong(description: "perennial \(arguments[0]): \(ended.status) \(ended.text)")
    }
  }

  func arguments(_ place: WorkPlace) -> [String]? {
    let store = place.store.path
    switch command {
    case .seed: return ["seed", model(place), seed("more", place), "--store", store]
    case .buildStore(let replaces):
      return ["build-store", model(place), seed("built", place), "-o", store] + (replaces ? ["--force"] : [])
    case .migrate: return ["migrate", store, "--from", model(place), "--to", model(place, "Album 2")]
    case .copy, .copyToXML: return ["copy", store, target(place).path]
    case .repair: return ["check", store, "--repair"]
    case .dump: return ["dump", store, "-o", target(place).path]
    case .backup(let replaces):
      return ["backup", store, "-o", target(place).path] + (replaces ? ["--replace"] : [])
    }
  }

  func owns(_ path: String) -> Bool {
    Self.isPart(path, of: "store.sqlite") || Self.isPart(path, of: targetName)
      || Self.isPart(path, of: "store-unrepaired.sqlite")
  }

  // MARK: - What is there

  func state(_ place: WorkPlace) throws -> Int {
    switch command {
    case .seed(let photos):
      return try number(of: AlbumStore(place.store).photos(), [Self.firstPhotos, Self.firstPhotos + photos])
    case .buildStore(let replaces):
      let isThere = try !CrashStore.isAbsent(place.store)
      let count = isThere ? try AlbumStore(place.store).photos() : -1
      return try number(of: count, [replaces ? Self.firstPhotos : -1, AlbumFiles.builtCount])
    case .migrate:
      let album = try AlbumStore(place.store)
      _ = try number(of: album.photos(), [Self.firstPhotos])
      return album.isNewer ? 1 : 0
    case .copy, .copyToXML:
      _ = try number(of: AlbumStore(place.store).photos(), [Self.firstPhotos])
      let copy = target(place)
      let type = targetName.hasSuffix("xml") ? NSXMLStoreType : NSSQLiteStoreType
      if try CrashStore.isAbsent(copy, type: type) { return 0 }
      return try number(of: AlbumStore(copy, type: type).photos(), [-1, Self.firstPhotos])
    case .backup(let replaces):
      let photos = Self.firstPhotos + (replaces ? Self.morePhotos : 0)
      _ = try number(of: AlbumStore(place.store).photos(), [photos])
      if try !replaces && CrashStore.isAbsent(target(place)) { return 0 }
      return try number(of: AlbumStore(target(place)).photos(), [replaces ? Self.firstPhotos : -1, photos])
    case .repair:
      _ = try number(of: AlbumStore(place.store, ignoring: .primaryKeys).photos(), [Self.firstPhotos])
      return try SQLiteShell.ask(place.store, "SELECT max(Z_MAX) FROM Z_PRIMARYKEY") == "0" ? 0 : 1
    case .dump:
      _ = try number(of: AlbumStore(place.store).photos(), [Self.firstPhotos])
      guard let data = try? Data(contentsOf: target(place)) else { return 0 }
      guard data.last == UInt8(ascii: "\n"), (try? JSONSerialization.jsonObject(with: data)) != nil else {
        throw CrashStore.Wrong(description: "half of a dump is there")
      }
      return 1
    }
  }

  private func number(of count: Int, _ counts: [Int]) throws -> Int {
    if let number = counts.firstIndex(of: count) { return number }
    throw CrashStore.Wrong(description: "there are \(count) photos; \(counts) would be whole")
  }
}
