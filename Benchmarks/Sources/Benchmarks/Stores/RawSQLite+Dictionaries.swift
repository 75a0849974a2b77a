import Foundation
import GRDBSQLite
import Samples

extension RawSQLite {
  /// Reads rows of ten integers into Foundation's dictionaries, which share their keys.
  func readDictionaries() throws -> [NSDictionary] {
    let keys = Sample.keys.map { NSString(string: $0) }
    var rows: [NSDictionary] = []
    let columns = (0..<10).map { "ZA\($0)" }.joined(separator: ", ")
    try each("SELECT \(columns) FROM ZSAMPLE") { row in
      let values = (0..<Int32(10)).map { NSNumber(value: sqlite3_column_int64(row, $0)) }
      rows.append(NSDictionary(objects: values, forKeys: keys))
    }
    return rows
  }
}
