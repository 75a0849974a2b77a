#if !canImport(Darwin)
  import CoreData
  import ModelFormats

  /// The data that a store keeps through an inferred migration, under names that both versions share.
  struct ContentView {
    struct Link {
      let name: String
      /// The name in the newer version.
      let key: String
      /// True when the order of the destinations is kept.
      let isOrdered: Bool
    }

    struct Kind {
      /// The entity's name in this version.
      let entity: String
      /// Its name in the newer version.
      let key: String
      /// The attributes whose values are kept: the name in this version, and the newer one.
      let attributes: [(name: String, key: String)]
      let links: [Link]
    }

    let kinds: [Kind]

    /// The views of the source and the destination of a migration.
    static func views(of plan: MigrationPlan) -> (before: ContentView, after: ContentView) {
      let correspondence = ModelCorrespondence(from: plan.source.document, to: plan.destination.document)
      var before: [Kind] = []
      var after: [Kind] = []
      for (name, former) in correspondence.entities.sorted(by: { $0.key < $1.key }) {
        guard let old = plan.source.entitiesByName[former], let new = plan.destination.entitiesByName[name],
          !old.isAbstract, !new.isAbstract
        else { continue }
        let names = correspondence.properties(of: name).sorted { $0.key < $1.key }
        let attributes = names.filter { isKept(old.attributesByName[$0.value], new: new.attributesByName[$0.key]) }
        let links = names.compactMap { key, former -> (former: String, key: String, isOrdered: Bool)? in
          guard let old = old.relationshipsByName[former], let new = new.relationshipsByName[key],
            !old.isTransient, !new.isTransient, !(old.isToMany && !new.isToMany)
          else { return nil }
          return (former, key, old.isOrdered && new.isOrdered)
        }
        before.append(
          Kind(
            entity: former,
            key: name,
            attributes: attributes.map { ($0.value, $0.key) },
            links: links.map { Link(name: $0.former, key: $0.key, isOrdered: $0.isOrdered) }
          )
        )
        after.append(
          Kind(
            entity: name,
            key: name,
            attributes: attributes.map { ($0.key, $0.key) },
            links: links.map { Link(name: $0.key, key: $0.key, isOrdered: $0.isOrdered) }
          )
        )
      }
      return (ContentView(kinds: before), ContentView(kinds: after))
    }

    private static func isKept(_ old: NSAttributeDescription?, new: NSAttributeDescription?) -> Bool {
      guard let old, let new, old.attributeType == new.attributeType,
        AttributeKind(old.attributeType).storage.isPlain
      else { return false }
      if old.isTransient || new.isTransient { return false }
      if old is NSDerivedAttributeDescription || new is NSDerivedAttributeDescription { return false }
      // If the attribute becomes required, the migration replaces a missing value by the default.
      return !old.isOptional || new.isOptional
    }
  }
#endif
