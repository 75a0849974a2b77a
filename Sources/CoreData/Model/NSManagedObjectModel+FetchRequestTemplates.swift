import Foundation
import Predicates

extension NSManagedObjectModel {
  /// The fetch request templates, by name.
  public final var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] {
    templates.compactMapValues { $0.copy() as? NSFetchRequest<NSFetchRequestResult> }
  }

  /// Sets or, with `nil`, removes a fetch request template.
  public final func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<NSFetchRequestResult>?,
    forName name: String
  ) {
    requireMutable("fetch request template \(name)")
    templates[name] = fetchRequestTemplate?.copy() as? NSFetchRequest<NSFetchRequestResult>
  }

  /// A fetch request template, or `nil` when there is none of the name.
  ///
  /// It is a copy, to be run as it is or changed. For one with `$names` in its predicate there is
  /// `fetchRequestFromTemplate(withName:substitutionVariables:)`.
  public final func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? {
    templates[name]?.copy() as? NSFetchRequest<NSFetchRequestResult>
  }

  /// A fetch request made of a template, with values for the `$names` in its predicate; `nil` when
  /// there is no template of the name.
  public final func fetchRequestFromTemplate(
    withName name: String,
    substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<NSFetchRequestResult>? {
    let request = fetchRequestTemplate(forName: name)
    request?.predicate = request?.predicate?.withSubstitutionVariables(variables)
    return request
  }
}
