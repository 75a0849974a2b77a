import Foundation

/// A process that sells with several threads, and reads the history concurrently. Lines control it: it says `ready`, sells at
/// `sell`, says `stopped` after `stop`, and ends when it has read that the sale is closed.
enum SaleProcess {
  static func run(_ name: String, at place: URL, threads: Int, folder: URL) throws {
    let store = try SaleStore(place)
    let reader = HistoryReader(store)
    let following = Work { try reader.follow() }
    say("ready")
    try expect("sell")

    let isStopped = Flag()
    let process = UInt64(ProcessInfo.processInfo.processIdentifier)
    let sellers = (1...threads).map { number in
      Seller(store, name: "\(name).\(number)", seed: process << 8 + UInt64(number), isStopped: isStopped)
    }
    let selling = sellers.map { seller in Work { try seller.sell() } }
    try expect("stop")
    isStopped.set()
    for work in selling { work.wait() }
    let figures = sellers.map(\.figures).reduce(Seller.Figures(), +)
    try write(figures.orders, to: folder.appendingPathComponent("orders-\(name)"))
    say(
      "stopped: \(figures.orders.count) orders, \(figures.deliveries) deliveries, \(figures.staleRows) stale rows, "
        + "\(figures.takenSeats) taken seats"
    )

    following.wait()
    try write(reader.lines, to: folder.appendingPathComponent("history-\(name)"))
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  private static func expect(_ line: String) throws {
    let read = readLine()
    guard read == line else { throw SaleFailure("\(line) was expected, and there came \(read ?? "the end")") }
  }

  private static func write(_ lines: [String], to file: URL) throws {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
  }
}
