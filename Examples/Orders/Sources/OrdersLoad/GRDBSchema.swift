import GRDB

/// The tables of the orders for GRDB. They equal those of the Core Data store, except that money is in whole cents.
enum GRDBSchema {
  static func migrate(_ pool: DatabasePool) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("orders") { database in
      try database.create(table: "customer") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("email", .text).notNull().unique()
        table.column("name", .text).notNull()
      }
      try database.create(table: "product") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("sku", .text).notNull().unique()
        table.column("name", .text).notNull()
        table.column("price", .integer).notNull()
      }
      try database.create(table: "order") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("number", .text).notNull().unique()
        table.column("placedAt", .datetime).notNull()
        table.column("day", .text).notNull()
        table.column("status", .text).notNull()
        table.column("total", .integer).notNull()
        table.column("customerId", .integer).notNull().indexed().references("customer")
      }
      try database.create(index: "orderByDay", on: "order", columns: ["day", "total"])
      try database.create(index: "orderByStatus", on: "order", columns: ["status", "total"])
      try database.create(table: "orderLine") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("quantity", .integer).notNull()
        table.column("price", .integer).notNull()
        table.belongsTo("order", onDelete: .cascade).notNull()
        table.belongsTo("product").notNull()
      }
    }
    migrator.registerMigration("stock") { database in
      try database.alter(table: "product") { table in table.add(column: "stock", .integer) }
    }
    try migrator.migrate(pool)
  }
}
