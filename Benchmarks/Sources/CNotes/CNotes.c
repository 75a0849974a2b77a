#include "CNotes.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// MARK: - Lines

typedef struct {
  const char *start;
  int length;
} Text;

enum { largestCount = 16 };

// A line of the file: the positions of its texts, which have no escapes.
typedef struct {
  Text entity, title, contents, category, name, color;
  Text tags[largestCount];
  int tagCount;
  double createdAt, updatedAt;
} Line;

static const char *pastSpace(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  return at;
}

// NULL if there is no text, or it has escapes.
static const char *readText(const char *at, const char *end, Text *text) {
  if (at >= end || *at != '"') return NULL;
  const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
  if (!close || memchr(at + 1, '\\', (size_t)(close - at - 1))) return NULL;
  *text = (Text){at + 1, (int)(close - at - 1)};
  return close + 1;
}

static const char *readNumber(const char *at, const char *end, double *number) {
  int64_t whole = 0;
  const char *first = at;
  while (at < end && *at >= '0' && *at <= '9') whole = whole * 10 + (*at++ - '0');
  *number = (double)whole;
  return at == first ? NULL : at;
}

static const char *readTexts(const char *at, const char *end, Line *line) {
  if (at >= end || *at != '[') return NULL;
  at = pastSpace(at + 1, end);
  while (at < end && *at != ']') {
    if (line->tagCount == largestCount || !(at = readText(at, end, &line->tags[line->tagCount++]))) return NULL;
    at = pastSpace(at, end);
    if (at < end && *at == ',') at = pastSpace(at + 1, end);
  }
  return at < end ? at + 1 : NULL;
}

static bool is(Text text, const char *name) {
  return (size_t)text.length == strlen(name) && memcmp(text.start, name, (size_t)text.length) == 0;
}

static const char *readValue(const char *at, const char *end, Text key, Line *line) {
  if (is(key, "$entity")) return readText(at, end, &line->entity);
  if (is(key, "title")) return readText(at, end, &line->title);
  if (is(key, "contents")) return readText(at, end, &line->contents);
  if (is(key, "createdAt")) return readNumber(at, end, &line->createdAt);
  if (is(key, "updatedAt")) return readNumber(at, end, &line->updatedAt);
  if (is(key, "category")) return readText(at, end, &line->category);
  if (is(key, "tags")) return readTexts(at, end, line);
  if (is(key, "name")) return readText(at, end, &line->name);
  if (is(key, "colorAsHex")) return readText(at, end, &line->color);
  return NULL;
}

static bool readLine(const char *at, const char *end, Line *line) {
  memset(line, 0, sizeof *line);
  at = pastSpace(at, end);
  if (at >= end || *at++ != '{') return false;
  for (;;) {
    Text key;
    if (!(at = readText(pastSpace(at, end), end, &key))) return false;
    at = pastSpace(at, end);
    if (at >= end || *at != ':') return false;
    if (!(at = readValue(pastSpace(at + 1, end), end, key, line))) return false;
    at = pastSpace(at, end);
    if (at >= end) return false;
    if (*at == '}') return true;
    if (*at++ != ',') return false;
  }
}

// MARK: - Names

enum { places = 4096 };

// The keys of objects by name.
typedef struct {
  Text names[places];
  int64_t keys[places];
  int64_t count;
} Names;

static unsigned place(const Names *names, Text name) {
  unsigned hash = 2166136261u;
  for (int index = 0; index < name.length; index++) hash = (hash ^ (unsigned char)name.start[index]) * 16777619u;
  for (unsigned at = hash % places;; at = (at + 1) % places) {
    Text there = names->names[at];
    if (!there.start) return at;
    if (there.length == name.length && memcmp(there.start, name.start, (size_t)name.length) == 0) return at;
  }
}

static int64_t add(Names *names, Text name) {
  unsigned at = place(names, name);
  names->names[at] = name;
  names->keys[at] = ++names->count;
  return names->count;
}

// Returns 0 if the name is not there.
static int64_t key(const Names *names, Text name) { return names->keys[place(names, name)]; }

// MARK: - The store

typedef struct {
  sqlite3 *database;
  sqlite3_stmt *note, *category, *tag, *link;
  Names categories, tags;
  int64_t notes;
  int rows;
} Load;

enum { rowsOfATransaction = 10000 };
static const double secondsUntil2001 = 978307200;

static bool bindText(sqlite3_stmt *statement, int column, Text text) {
  return sqlite3_bind_text(statement, column, text.start, text.length, SQLITE_STATIC) == SQLITE_OK;
}

static bool run(sqlite3_stmt *statement) {
  bool isDone = sqlite3_step(statement) == SQLITE_DONE;
  sqlite3_reset(statement);
  return isDone;
}

static bool insertNamed(Load *load, Line *line, sqlite3_stmt *statement, Names *names) {
  if (names->count == places / 2) return false;
  sqlite3_bind_int64(statement, 1, add(names, line->name));
  bindText(statement, 2, line->name);
  if (line->color.start) bindText(statement, 3, line->color);
  return run(statement);
}

static bool insertNote(Load *load, Line *line) {
  int64_t number = ++load->notes;
  sqlite3_bind_int64(load->note, 1, number);
  bindText(load->note, 2, line->title);
  bindText(load->note, 3, line->contents);
  sqlite3_bind_double(load->note, 4, line->createdAt - secondsUntil2001);
  sqlite3_bind_double(load->note, 5, line->updatedAt - secondsUntil2001);
  sqlite3_bind_int64(load->note, 6, key(&load->categories, line->category));
  if (!run(load->note)) return false;
  for (int index = 0; index < line->tagCount; index++) {
    sqlite3_bind_int64(load->link, 1, number);
    sqlite3_bind_int64(load->link, 2, key(&load->tags, line->tags[index]));
    if (!run(load->link)) return false;
  }
  return true;
}

static bool insert(Load *load, Line *line) {
  if (is(line->entity, "Category")) return insertNamed(load, line, load->category, &load->categories);
  if (is(line->entity, "Tag")) return insertNamed(load, line, load->tag, &load->tags);
  return is(line->entity, "Note") && insertNote(load, line);
}

static bool execute(Load *load, const char *sql) {
  return sqlite3_exec(load->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool loadLines(Load *load, const char *at, const char *end) {
  if (!execute(load, "BEGIN IMMEDIATE")) return false;
  while (at < end) {
    const char *lineEnd = memchr(at, '\n', (size_t)(end - at));
    if (!lineEnd) lineEnd = end;
    Line line;
    if (!readLine(at, lineEnd, &line) || !insert(load, &line)) return false;
    at = lineEnd + 1;
    if (++load->rows % rowsOfATransaction == 0 && !execute(load, "COMMIT; BEGIN IMMEDIATE")) return false;
  }
  sqlite3_str *sql = sqlite3_str_new(load->database);
  sqlite3_str_appendf(
    sql,
    "UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Note' THEN %lld WHEN 'Tag' THEN %lld ELSE %lld END; COMMIT",
    load->notes, load->tags.count, load->categories.count);
  char *text = sqlite3_str_finish(sql);
  bool isDone = text && execute(load, text);
  sqlite3_free(text);
  return isDone;
}

static const char *openStore(Load *load, const char *store) {
  const struct {
    sqlite3_stmt **statement;
    const char *sql;
  } statements[] = {
    {&load->note, "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCONTENTS, ZCREATEDAT, ZUPDATEDAT, ZCATEGORY) "
                  "VALUES (?, 2, 1, ?, ?, ?, ?, ?)"},
    {&load->category, "INSERT INTO ZCATEGORY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOLORASHEX) VALUES (?, 1, 1, ?, ?)"},
    {&load->tag, "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 3, 1, ?)"},
    {&load->link, "INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS) VALUES (?, ?)"},
  };
  // Only one thread uses the connection, so its calls need no lock.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(store, &load->database, flags, NULL) != SQLITE_OK || !execute(load, "PRAGMA synchronous = NORMAL")) {
    return "the store cannot be opened";
  }
  for (size_t index = 0; index < sizeof statements / sizeof *statements; index++) {
    if (sqlite3_prepare_v2(load->database, statements[index].sql, -1, statements[index].statement, NULL)) {
      return "the store has not the tables of notes";
    }
  }
  return NULL;
}

static void closeStore(Load *load) {
  sqlite3_stmt *statements[] = {load->note, load->category, load->tag, load->link};
  for (size_t index = 0; index < sizeof statements / sizeof *statements; index++) sqlite3_finalize(statements[index]);
  sqlite3_close(load->database);
  free(load);
}

const char *CNotesLoad(const char *notes, const char *store) {
  int file = open(notes, O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return "the notes cannot be opened";
  size_t size = (size_t)status.st_size;
  const char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (text == MAP_FAILED) return "the notes cannot be read";
  Load *load = calloc(1, sizeof *load);
  if (!load) return "there is no memory";
  const char *failure = openStore(load, store);
  if (!failure && !loadLines(load, text, text + size)) failure = "a line cannot be read or written";
  closeStore(load);
  munmap((void *)text, size);
  return failure;
}
