#if !canImport(Darwin)
  import CoreData
  import Foundation
  import ModelFormats

  /// Finds the migration paths of stores from the versions of a package to its current one.
  final class MigrationRoutes {
    private let models: [String: NSManagedObjectModel]
    /// The readable versions, with the current one last.
    private let order: [String]
    private let search: MappingSearch
    private var steps: [[String]: MigrationStep?] = [:]

    /// - Parameter models: the models of the versions, by name.
    init(models: [String: NSManagedObjectModel], current: String, search: MappingSearch) {
      self.models = models
      self.search = search
      order = models.keys.filter { $0 != current }.sorted(by: PackageSnapshot.comesBefore) + [current]
    }

    /// The steps from a version to the current one: one step if possible, otherwise as few stages as possible.
    ///
    /// - Returns: nil where no steps lead there.
    func route(from name: String) -> [MigrationStep]? {
      guard let start = order.firstIndex(of: name), let end = order.indices.last else { return nil }
      var ways: [(place: Int, steps: [MigrationStep])] = [(start, [])]
      var seen: Set = [start]
      while !ways.isEmpty {
        var next: [(place: Int, steps: [MigrationStep])] = []
        for way in ways {
          // The current version is tried first.
          for place in order.indices.reversed() where place > way.place && !seen.contains(place) {
            guard let step = step(from: order[way.place], to: order[place]) else { continue }
            if place == end { return way.steps + [step] }
            seen.insert(place)
            next.append((place, way.steps + [step]))
          }
        }
        ways = next
      }
      return nil
    }

    /// One step, by a mapping model of the target, which Core Data prefers, or by an inferred mapping.
    private func step(from former: String, to name: String) -> MigrationStep? {
      if let known = steps[[former, name]] { return known }
      let found = makeStep(from: former, to: name)
      steps[[former, name]] = .some(found)
      return found
    }

    private func makeStep(from former: String, to name: String) -> MigrationStep? {
      guard let source = models[former], let destination = models[name] else { return nil }
      for mapping in search.mappings(from: former, to: name) {
        // Core Data skips a mapping model made for other versions with these names, and so does this search.
        if let plan = try? MigrationPlan(from: source, to: destination, mapping: mapping) {
          return MigrationStep(former: former, name: name, plan: plan, mapping: mapping)
        }
      }
      guard let plan = try? MigrationPlan(from: source, to: destination, mapping: nil) else { return nil }
      return MigrationStep(former: former, name: name, plan: plan, mapping: nil)
    }
  }
#endif
