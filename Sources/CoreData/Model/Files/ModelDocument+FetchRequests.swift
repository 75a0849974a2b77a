import Foundation
import ModelFormats
import Predicates

extension ModelDocument.FetchRequest {
  /// The request that the part describes.
  ///
  /// - Throws: `ModelFileError` with the line when the predicate does not parse.
  func makeRequest(in place: String) throws(ModelFileError) -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity ?? "")
    if let predicateString, !predicateString.isEmpty {
      do throws(PredicateFormatError) {
        request.predicate = try NSPredicate(parsing: predicateString)
      } catch {
        throw ModelFileError(
          .corrupt,
          line: line.number,
          element: place,
          attribute: "predicateString",
          problem: "\"\(predicateString)\" is no predicate: \(error)"
        )
      }
    }
    request.fetchLimit = fetchLimit ?? 0
    request.fetchBatchSize = fetchBatchSize ?? 0
    request.resultType = NSFetchRequestResultType(rawValue: UInt(clamping: resultType ?? 0))
    // What is not said has the default of a request made in code.
    request.includesSubentities = includesSubentities ?? true
    request.includesPropertyValues = includesPropertyValues ?? true
    request.includesPendingChanges = includesPendingChanges ?? true
    request.returnsObjectsAsFaults = returnsObjectsAsFaults ?? true
    return request
  }

  /// Makes the part of a document that describes a request.
  init(_ request: NSFetchRequest<NSFetchRequestResult>, name: String) {
    self.init(name: name, entity: request.entityName ?? "")
    predicateString = request.predicate.map { "\($0)" }
    fetchLimit = request.fetchLimit == 0 ? nil : request.fetchLimit
    fetchBatchSize = request.fetchBatchSize == 0 ? nil : request.fetchBatchSize
    resultType = request.resultType.rawValue == 0 ? nil : Int(request.resultType.rawValue)
    includesSubentities = request.includesSubentities ? nil : false
    includesPropertyValues = request.includesPropertyValues ? nil : false
    includesPendingChanges = request.includesPendingChanges ? nil : false
    returnsObjectsAsFaults = request.returnsObjectsAsFaults ? nil : false
  }
}
