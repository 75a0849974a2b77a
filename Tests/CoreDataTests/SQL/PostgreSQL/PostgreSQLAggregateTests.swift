#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite("Groups in the SQL of PostgreSQL")
  struct PostgreSQLAggregateTests {
    private func sql(_ request: AggregateRequest) throws -> String {
      // Creating a schema puts the model in use, so that it has its properties.
      let schema = PostgreSQLText.schema
      let fetch = try DictionaryFetch(request.request(), entity: TestRows.entity("Note"))
      let query = try #require(fetch.ofGroups?.query)
      return try SQLAggregateQuery(
        query,
        schema: schema,
        store: 0,
        dialect: PostgreSQLText.dialect
      ).statement().sql
    }

    @Test("groups are formed, filtered and sorted in PostgreSQL's dialect")
    func groups() throws {
      let half = AggregateRequest.column("half", "modulus:by:(rating, 2)")
      #expect(
        try sql(
          AggregateRequest(
            properties: ["category.name", half, AggregateRequest.column("total", "sum:(ratio)")],
            groupBy: ["category.name", half],
            having: "average:(rating) > 1 AND NOT total == 0",
            sort: [
              NSSortDescriptor(key: "half", ascending: false),
              NSSortDescriptor(key: "category.name", ascending: true, selector: "caseInsensitiveCompare:"),
            ],
            limit: 3
          )
        )
          == "SELECT t1.name, mod(t0.rating::numeric, NULLIF($1::bigint::numeric, 0)), CASE WHEN "
          + "COUNT(t0.ratio) = 0 THEN '-0'::double precision ELSE SUM(t0.ratio::double precision) + 0 END FROM "
          + "note t0 LEFT JOIN category t1 ON "
          + "t1.z_pk = t0.category GROUP BY t1.name, 2 HAVING (SUM(t0.rating)::bigint::double "
          + "precision / "
          + "NULLIF(COUNT(t0.rating)::double precision, 0)) > $2::bigint AND CASE WHEN "
          + "COUNT(t0.ratio) = 0 THEN '-0'::double precision ELSE SUM(t0.ratio::double precision) + 0 END <> "
          + "$3::bigint ORDER BY 2 "
          + "DESC NULLS LAST, perennial_fold_c(t1.name) COLLATE \"C\" NULLS FIRST LIMIT $4::bigint"
      )
    }

    @Test("distinct results are groups, and Booleans are numbers")
    func distinct() throws {
      #expect(
        try sql(AggregateRequest(properties: ["isPinned", "identifier"], isDistinct: true))
          == "SELECT t0.is_pinned::integer, t0.identifier FROM note t0 GROUP BY t0.is_pinned::integer, t0.identifier"
      )
      #expect(
        try sql(AggregateRequest(properties: [AggregateRequest.column("least", "min:(identifier)")]))
          == "SELECT MIN(t0.identifier::text)::uuid FROM note t0"
      )
    }

    @Test("groups add calculated integers only if each of them is an integer")
    func calculated() throws {
      #expect(
        try sql(AggregateRequest(properties: [AggregateRequest.column("sum", "sum:(rating * small)")]))
          == "SELECT COALESCE(SUM((CASE WHEN (t0.rating::numeric * t0.small::numeric) BETWEEN -9223372036854775808 AND "
          + "9223372036854775807 THEN (t0.rating::numeric * t0.small::numeric) ELSE replace("
          + "(t0.rating::double precision * t0.small::double precision)::text, "
          + "'-9.223372036854776e+18', '-9223372036854775808')::numeric END - 1)::bigint + 1)::bigint, 0) FROM note t0"
      )
    }

    @Test(
      "groups add decimals in SQL if no order of additions loses digits, and average them in memory"
    )
    func decimals() throws {
      #expect(
        try sql(AggregateRequest(properties: [AggregateRequest.column("mean", "average:(price)")]))
          == "SELECT CASE WHEN COUNT(t0.price) = 0 THEN NULL WHEN SUM(ABS(t0.price)) * power(10::numeric, "
          + "MAX(scale(t0.price))) < 1e38 THEN SUM(t0.price)::text || '/' || COUNT(t0.price) ELSE '?' END FROM note t0"
      )
    }

    @Test("groups by equal calculations are grouped by all their columns")
    func alike() throws {
      let columns = ["one", "other"].map { AggregateRequest.column($0, "modulus:by:(rating, 2)") }
      #expect(
        try sql(AggregateRequest(properties: columns, groupBy: columns)).hasSuffix(" GROUP BY 1, 2, 1, 2")
      )
    }
  }
#endif
