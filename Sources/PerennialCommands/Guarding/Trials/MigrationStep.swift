#if !canImport(Darwin)
  import CoreData
  import ModelFormats

  /// One step of a store's migration from one version to another, by an inferred mapping or by a mapping model.
  struct MigrationStep {
    let former: String
    let name: String
    let plan: MigrationPlan
    /// The path of the mapping model; nil where the mapping is inferred.
    let mapping: String?

    /// The program's migration policy classes that the mapping model names. This command does not have them.
    var policies: [String] {
      (plan.mapping.entityMappings ?? []).compactMap(\.entityMigrationPolicyClassName).filter { !$0.isEmpty }
        .reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
    }

    /// The step for a report: `Notes -> Notes 2 (inferred)`.
    var words: String {
      let way = mapping.map { "by \(($0 as NSString).lastPathComponent)" } ?? "inferred"
      return "\(former) -> \(name) (\(way))"
    }
  }
#endif
