import Foundation
import ModelFormats
import TestSupport
import Testing

@testable import PerennialCommands

/// The packages of public projects in `shared/fixtures/zoo`.
@Suite(
  "perennial guard and the models of public projects",
  .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
)
struct GuardZooTests {
  static let packages = SharedFolder.fixtures.filter { $0.hasPrefix("zoo/") && $0.hasSuffix(".xcdatamodeld") }

  /// The packages that cannot be judged: they are empty, or are in the format before Xcode 4.
  static let unjudged: Set = [
    "zoo/MagicalRecord/Samples/iOS/Application/Models/Recipes.xcdatamodeld",
    "zoo/RestKit/Resources/RestKitCoreData.xcdatamodeld",
    "zoo/mogenerator/contributed templates/Nikita Zhuk/ponso/sample project/PonsoTest/MyModel.xcdatamodeld",
    "zoo/mogenerator/contributed templates/Tyrone Trevorrow/ponso/sample project/PonsoTest/MyModel.xcdatamodeld",
  ]

  /// Two consecutive versions of a package, of which the later one becomes current.
  struct Pair: Sendable, CustomTestStringConvertible {
    let package: String
    let former: String
    let name: String

    var testDescription: String { "\(package): \(former) -> \(name)" }
  }

  static let pairs = packages.flatMap { (package: String) -> [Pair] in
    let snapshot = try? PackageSnapshot(onDisk: SharedFolder.fixture(package).path)
    let names = snapshot?.versions.filter { $0.contents != nil }.map(\.name) ?? []
    return zip(names, names.dropFirst()).map { Pair(package: package, former: $0, name: $1) }
  }

  @Test("the public projects have 96 packages, with 16 pairs of consecutive versions")
  func counts() {
    #expect(Self.packages.count == 96)
    #expect(Self.pairs.count == 16)
    #expect(Self.unjudged.isSubset(of: Self.packages))
  }

  @Test("a package that is not changed is passed", arguments: packages)
  func unchanged(path: String) throws {
    let url = SharedFolder.fixture(path)
    let report = try ModelGuard(
      model: url.path,
      reference: url.path,
      mappings: [SharedFolder.fixture("zoo").path],
      trialCount: 2
    ).judge().report
    if Self.unjudged.contains(path) {
      #expect(report.verdict == .unjudged, "\(report.text)")
    } else {
      #expect(report.verdict == .passed, "\(report.text)")
      let changes = report.findings.filter {
        [.changedVersion, .hiddenChange, .deletedVersion].contains($0.code)
      }
      #expect(changes.isEmpty)
    }
  }

  @Test(
    "a version that a project added is passed, and stores of all versions before it can be migrated",
    arguments: pairs
  )
  func consecutive(pair: Pair) throws {
    let url = SharedFolder.fixture(pair.package)
    let snapshot = try PackageSnapshot(onDisk: url.path)
    let names = snapshot.versions.map(\.name)
    let place = try #require(names.firstIndex(of: pair.name))
    let package = try GuardedPackage(url, versions: Array(names[...place]), current: pair.former)
    try FileManager.default.removeItem(at: package.before.appendingPathComponent("\(pair.name).xcdatamodel"))
    try package.setCurrent(pair.name)
    let report = try package.judge(trials: 6, mappings: [SharedFolder.fixture("zoo").path])
    #expect(report.verdict == .passed, "\(report.text)")
    // The only warnings are about attributes and entities that the project removed on purpose.
    let warnings = report.findings.filter { $0.severity == .warning }
    #expect(warnings.allSatisfy { [.loss, .possibleRename].contains($0.code) }, "\(report.text)")
    #expect(report.ways.count == place + 1)
    // The project has mapping models without policies between these versions.
    if pair.package.hasSuffix("/Feed.xcdatamodeld"), pair.former != "Feed" {
      let way = report.ways.first { $0.version == pair.former }
      #expect(
        way?.words.contains("(by \(pair.former)To\(pair.name).xcmappingmodel)") == true,
        "\(report.text)"
      )
      #expect(way?.trial.hasPrefix("tried with ") == true)
    }
  }

  @Test("the guard is tested with more than 25 kinds of mistakes")
  func kinds() {
    #expect(Set(PlantedMistake.all.map(\.name)).count == PlantedMistake.all.count)
    #expect(PlantedMistake.all.count > 25)
  }

  @Test("a planted mistake is found in every package that has a place for it", arguments: PlantedMistake.all)
  func mistakes(mistake: PlantedMistake) throws {
    let candidates = Self.packages.filter { !Self.unjudged.contains($0) }
    let most = Soak.rounds(15)
    var places = 0
    // Each mistake begins with another package.
    let start = mistake.name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % candidates.count }
    for path in candidates[start...] + candidates[..<start] where places < most {
      let snapshot = try PackageSnapshot(onDisk: SharedFolder.fixture(path).path)
      guard let current = snapshot.currentName, let last = snapshot.versions.last?.name,
        snapshot.versions.allSatisfy({ $0.contents != nil })
      else { continue }
      let package = try GuardedPackage(SharedFolder.fixture(path), current: current == last ? current : last)
      guard try mistake.plant(package) else { continue }
      places += 1
      let report = try package.judge()
      let found: [GuardFinding] = report.findings.filter { $0.code == mistake.code }
      #expect(found.contains { $0.severity == mistake.severity }, "\(path): \(report.text)")
      #expect(found.allSatisfy { !$0.remedy.isEmpty && !$0.problem.isEmpty })
      #expect(mistake.severity != .error || report.verdict == .refused, "\(path): \(report.text)")
    }
    #expect(places > 0, "no package has a place for it")
  }
}
