import Foundation

/// Checks the structure of a file's objects as a whole before any of them is loaded.
struct AtomicDocumentCheck {
  let document: AtomicDocument
  let file: URL
  /// The place of the object of a number in the file.
  let place: (Int) -> String

  /// - Throws: an error that names the file, the object and where it is.
  func run() throws {
    var known: [Int64: Int] = [:]
    known.reserveCapacity(document.objects.count)
    for (number, object) in document.objects.enumerated() {
      guard (1...AtomicDocument.largestKey).contains(object.key) else {
        throw broken(number, problem: "its ID is out of range")
      }
      if object.entity.isAbstract {
        throw broken(number, problem: "its entity \(object.entity.name ?? "") is abstract")
      }
      if let other = known.updateValue(number, forKey: object.key) {
        throw broken(number, problem: "another object has its ID (\(place(other)))")
      }
    }
    for (number, object) in document.objects.enumerated() {
      for (name, keys) in object.destinations.sorted(by: { $0.key < $1.key }) {
        try check(name, keys: keys, of: number, known: known)
      }
    }
  }

  private func check(_ name: String, keys: [Int64], of number: Int, known: [Int64: Int]) throws {
    let object = document.objects[number]
    guard let relationship = object.entity.relationshipsByName[name] else {
      throw broken(number, problem: "\(object.entity.name ?? "") has no relationship \(name)")
    }
    if !relationship.isToMany, keys.count > 1 {
      throw broken(number, problem: "\(relationship.modelPath) leads to \(keys.count) objects, and can to one")
    }
    guard Set(keys).count == keys.count else {
      throw broken(number, problem: "\(relationship.modelPath) leads to an object twice")
    }
    for key in keys {
      guard let found = known[key] else {
        throw broken(number, problem: "\(relationship.modelPath) leads to the object \(key), which is not in the file")
      }
      let entity = document.objects[found].entity
      if let wanted = relationship.destinationEntity, !entity.isKindOf(entity: wanted) {
        throw broken(
          number,
          problem:
            "\(relationship.modelPath) leads to the object \(key), which is of the entity \(entity.name ?? "")"
        )
      }
    }
  }

  private func broken(_ number: Int, problem: String) -> any Error {
    StoreFailure.corruptFile(
      """
      \(file.path), \(place(number)): the object \(document.objects[number].key) is broken: \(problem); restore a copy \
      of the store, or correct the file.
      """,
      file: file
    )
  }
}
