#ifndef PERENNIAL_CSYSTEMSQLITE_H
#define PERENNIAL_CSYSTEMSQLITE_H

#include <sqlite3.h>

/// Has a connection take text in double quotes for a name and never for a string, so that a column that is missing is an
/// error. Foreign keys are not enforced, whatever SQLite was built with: stores of Core Data declare none.
///
/// Swift cannot call `sqlite3_db_config`, because its arguments vary.
static inline void perennial_configure(sqlite3 *connection) {
#ifdef SQLITE_DBCONFIG_DQS_DML
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
#endif
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 0, (void *)0);
}

#endif
