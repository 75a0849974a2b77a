import Foundation

// Several processes, each with several threads, sell in one store: see Scripts/checks/sell.

let arguments = CommandLine.arguments
let usage =
  "usage: SaleTest run STORE PROCESSES THREADS SECONDS FOLDER | SaleTest sell STORE NAME THREADS FOLDER\n"

func fail(_ message: String, _ status: Int32) -> Never {
  FileHandle.standardError.write(Data((message + "\n").utf8))
  exit(status)
}

do {
  if arguments.count == 7, arguments[1] == "run", let processes = Int(arguments[3]),
    let threads = Int(arguments[4]),
    let seconds = Double(arguments[5])
  {
    let sale = Sale(
      place: SaleStore.place(arguments[2]),
      processes: processes,
      threads: threads,
      seconds: seconds,
      folder: URL(fileURLWithPath: arguments[6])
    )
    try sale.run(program: URL(fileURLWithPath: arguments[0]), argument: arguments[2])
  } else if arguments.count == 6, arguments[1] == "sell", let threads = Int(arguments[4]) {
    try SaleProcess.run(
      arguments[3],
      at: SaleStore.place(arguments[2]),
      threads: threads,
      folder: URL(fileURLWithPath: arguments[5])
    )
  } else {
    fail(usage, 64)
  }
} catch {
  fail("\(error)", 1)
}
