import Dispatch

/// The memory of several rows of one entity.
///
/// A fetch decodes its rows into slabs, and each object keeps the slab of its row alive: rows are
/// shared and not copied, and one allocation serves many. Rows are immutable after the code that
/// makes them has passed them on; an object that is changed gets a slab with one row of its own.
final class RowSlab: ManagedBuffer<RowSlab.Header, UInt64> {
  struct Header {
    /// Owned, since values are destroyed by it: rows may outlive their model, in the error of a conflict for one.
    let layout: EntityLayout
    /// Those of the layout, which need not be asked for each row.
    let (stride, headerWords): (Int, Int)
    let capacity: Int
    var count: Int
    /// The time when the rows were read, in nanoseconds since the machine was started.
    let time: UInt64
    /// The batch by which the values are to be had, of a slab without rows.
    let batch: FaultBatch?
    /// The values that could not be read; `nil` in nearly all slabs.
    var failures: ValueFailures?
  }

  /// The number of rows that a fetch puts into one slab: few enough that one surviving object does not keep much alive.
  static let rowsPerFetchedSlab = 64

  /// - Parameter batch: for objects whose values are fetched together when one of them is first used.
  static func make(layout: EntityLayout, capacity: Int, batch: FaultBatch? = nil) -> RowSlab {
    let words = capacity * layout.stride / 8
    let buffer = RowSlab.create(minimumCapacity: words) { _ in
      Header(
        layout: layout,
        stride: layout.stride,
        headerWords: layout.headerWords,
        capacity: capacity,
        count: 0,
        time: DispatchTime.now().uptimeNanoseconds,
        batch: batch,
        failures: nil
      )
    }
    return unsafeDowncast(buffer, to: RowSlab.self)
  }

  var layout: EntityLayout { withUnsafeMutablePointerToHeader { $0.pointee.layout } }
  var batch: FaultBatch? { withUnsafeMutablePointerToHeader { $0.pointee.batch } }
  var failures: ValueFailures? {
    get { withUnsafeMutablePointerToHeader { $0.pointee.failures } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.failures = newValue } }
  }
  /// True when a value of a row could not be read.
  var hasFailures: Bool { withUnsafeMutablePointerToHeader { $0.pointee.failures != nil } }
  /// The time since the rows were read, in seconds.
  var age: Double { Double(DispatchTime.now().uptimeNanoseconds - header.time) / 1e9 }
  var isFull: Bool { withUnsafeMutablePointerToHeader { $0.pointee.count == $0.pointee.capacity } }

  /// Adds a row with version 0 in which every slot is null. The slab must not be full.
  func appendRow() -> UnsafeMutableRawPointer {
    withUnsafeMutablePointers { header, words in
      let base = UnsafeMutableRawPointer(words) + header.pointee.count * header.pointee.stride
      base.initializeMemory(as: UInt64.self, repeating: 0, count: header.pointee.headerWords)
      header.pointee.count += 1
      return base
    }
  }

  deinit {
    withUnsafeMutablePointers { header, words in
      let layout = header.pointee.layout
      guard !layout.isTrivial else { return }
      for index in 0..<header.pointee.count {
        layout.destroyValues(at: UnsafeMutableRawPointer(words) + index * layout.stride)
      }
    }
  }
}

/// Objects whose values are fetched together, when the first of them is used.
// Immutable.
final class FaultBatch: @unchecked Sendable {
  /// The entity that was fetched.
  let entity: NSEntityDescription
  /// The index of the objects' store.
  let store: Int32
  let keys: [Int64]
  /// The relationships that come with the objects.
  let keyPaths: [String]

  init(entity: NSEntityDescription, store: Int32, keys: [Int64], keyPaths: [String]) {
    self.entity = entity
    self.store = store
    self.keys = keys
    self.keyPaths = keyPaths
  }
}
