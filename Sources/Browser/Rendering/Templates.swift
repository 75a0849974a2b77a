import Foundation
import Mustache

/// The templates of pages.
enum Templates {
  /// The templates that pages are made of, by the names of their files.
  private static let library: MustacheLibrary = {
    var library = MustacheLibrary()
    for (name, bytes) in sources {
      do {
        try library.register(String(decoding: bytes, as: UTF8.self), named: name)
      } catch {
        // The templates are part of this module: none of them depends on anything outside.
        preconditionFailure("the template \(name) cannot be read: \(error)")
      }
    }
    return library
  }()

  private static let sources: [String: [UInt8]] = [
    "top": PackageResources.top_mustache,
    "bottom": PackageResources.bottom_mustache,
    "catalogue": PackageResources.catalogue_mustache,
    "compared": PackageResources.compared_mustache,
    "comparedobject": PackageResources.comparedobject_mustache,
    "comparison": PackageResources.comparison_mustache,
    "comparisonprogress": PackageResources.comparisonprogress_mustache,
    "conflicts": PackageResources.conflicts_mustache,
    "deletion": PackageResources.deletion_mustache,
    "diagram": PackageResources.diagram_mustache,
    "difference": PackageResources.difference_mustache,
    "edit": PackageResources.edit_mustache,
    "edits": PackageResources.edits_mustache,
    "facet": PackageResources.facet_mustache,
    "facetpage": PackageResources.facetpage_mustache,
    "grid": PackageResources.grid_mustache,
    "history": PackageResources.history_mustache,
    "orphans": PackageResources.orphans_mustache,
    "object": PackageResources.object_mustache,
    "modeldifference": PackageResources.modeldifference_mustache,
    "moments": PackageResources.moments_mustache,
    "relate": PackageResources.relate_mustache,
    "seed": PackageResources.seed_mustache,
    "staged": PackageResources.staged_mustache,
    "strip": PackageResources.strip_mustache,
    "model": PackageResources.model_mustache,
    "error": PackageResources.error_mustache,
    "seedexport": PackageResources.seedexport_mustache,
    "value": PackageResources.value_mustache,
  ]

  static var names: [String] { sources.keys.sorted() }

  /// The markup of a page.
  static func render(_ name: String, _ fields: TemplateFields) -> String {
    library.render(fields, withTemplate: name) ?? ""
  }
}
