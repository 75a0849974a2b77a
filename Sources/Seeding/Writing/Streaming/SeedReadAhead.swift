#if !canImport(Darwin)
  import Foundation

  /// Reads and checks the records of a pass on a thread of its own, a piece ahead of the one that is being written.
  ///
  /// Until `stop()` has returned, the intake is used by that thread alone. A piece of records is
  /// used by one thread at a time: it is handed over and not kept.
  final class SeedReadAhead: @unchecked Sendable {
    /// Records that are written with one save.
    struct Piece {
      let items: [StreamedItem]
      /// The natural keys that headers had declared by the end of the chunk.
      let naturalKeys: NaturalKeys
      /// The number of bytes of the seeds that were read by then.
      let bytesRead: Int
    }

    private let intake: SeedRecordStream
    private let size: Int
    private let numbers: RecordMarks?
    /// The records that the intake has given already.
    private let first: [SeedRecordStream.Numbered]
    /// The number of these that are in pieces.
    private var taken = 0
    private var digests = TargetDigests()

    private let condition = NSCondition()
    // The condition guards these.
    private var outcome: Result<Piece, any Error>?
    /// Written records, which the thread that created them frees.
    private var spent: [StreamedItem] = []
    private var isStopped = false
    private var hasEnded = false

    /// Starts reading at the intake's position.
    /// - Parameters:
    ///   - first: The records that the intake has given already.
    ///   - size: The number of records in a piece.
    ///   - numbers: The records that are wanted; nil for all.
    init(_ intake: SeedRecordStream, after first: [SeedRecordStream.Numbered], size: Int, over numbers: RecordMarks?) {
      self.intake = intake
      self.first = first
      self.size = size
      self.numbers = numbers
      let thread = Thread { self.readAll() }
      thread.name = "Seeding: reading"
      thread.start()
    }

    /// The next piece, once it has been read; nil after the last.
    ///
    /// - Throws: The error of reading it.
    func next() throws -> Piece? {
      condition.lock()
      defer { condition.unlock() }
      while outcome == nil, !hasEnded { condition.wait() }
      defer {
        outcome = nil
        condition.broadcast()
      }
      return try outcome?.get()
    }

    /// Recycles the records of a chunk that are not used any more.
    func recycle(_ items: [StreamedItem]) {
      condition.lock()
      defer { condition.unlock() }
      spent += items
    }

    /// Returns when the thread has ended, which reads no further than to the end of its piece.
    func stop() {
      condition.lock()
      defer { condition.unlock() }
      isStopped = true
      condition.broadcast()
      while !hasEnded { condition.wait() }
    }

    private var hasMore: Bool { taken < first.count || !intake.isAtEnd }

    private func readAll() {
      var hasMore = hasMore
      while hasMore {
        freeSpent()
        let outcome = Result { try piece() }
        let isLast = if case .failure = outcome { true } else { !self.hasMore }
        hasMore = hand(over: outcome) && !isLast
      }
      condition.lock()
      defer { condition.unlock() }
      hasEnded = true
      condition.broadcast()
    }

    private func freeSpent() {
      var spent: [StreamedItem] = []
      condition.lock()
      swap(&spent, &self.spent)
      condition.unlock()
      spent.removeAll()
    }

    private func piece() throws -> Piece {
      let records: ArraySlice<SeedRecordStream.Numbered>
      var bytesRead: Int
      if taken < first.count {
        records = first[taken...].prefix(size)
        taken = records.endIndex
        // Reading has counted for half of their bytes.
        bytesRead = intake.bytesRead / 2
        bytesRead += bytesRead / first.count * taken
      } else {
        records = try intake.records(atMost: size) { [numbers] number in numbers?.contains(number) ?? true }[...]
        if intake.stated.mayContradict { throw SeedRestart.asWhole }
        bytesRead = intake.bytesRead
      }
      return Piece(
        items: try records.map { try StreamedItem($0, digests: &digests) },
        naturalKeys: intake.naturalKeys,
        bytesRead: bytesRead
      )
    }

    /// Waits until the previous chunk has been taken.
    /// - Returns: false if no chunk is wanted any more.
    private func hand(over outcome: Result<Piece, any Error>) -> Bool {
      condition.lock()
      defer { condition.unlock() }
      while self.outcome != nil, !isStopped { condition.wait() }
      if isStopped { return false }
      self.outcome = outcome
      condition.broadcast()
      return true
    }
  }

#endif
