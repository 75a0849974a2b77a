import Foundation
import Seeding

extension BadSeed {
  /// Errors in a seed's text that the parser finds without the model.
  static let texts = [
    BadSeed(
      "broken JSON",
      "{\"tags\": [\n{\"name\": \"News\",}]}",
      .brokenText,
      "seed.json:2:17: the JSON is broken: a key in double quotes is expected, but \"}\" is there; correct the file"
    ),
    BadSeed(
      "nothing",
      "",
      .brokenText,
      "seed.json:1:1: the JSON is broken: the text is empty; correct the file"
    ),
    BadSeed(
      "JSON that breaks off",
      "{\"tags\": [{\"name\": \"Ne",
      .brokenText,
      "seed.json:1:20: the JSON is broken: a string has no closing quote; correct the file"
    ),
    BadSeed(
      "JSON that breaks off behind a backslash",
      "{\"tags\": [{\"name\": \"Ne\\",
      .brokenText,
      "seed.json:1:23: the JSON is broken: a string has no closing quote; correct the file"
    ),
    BadSeed(
      "JSON in Latin 1",
      files: [("seed.json", Data("{\"tags\": [{\"name\": \"Caf".utf8) + [0xE9] + Data("\"}]}".utf8))],
      .brokenText,
      "seed.json:1:20: the JSON is broken: a string is not valid UTF-8; correct the file"
    ),
    BadSeed(
      "a key that stands twice in a record",
      "{\"tags\": [{\"name\": \"A\",\n \"name\": \"B\"}]}",
      .brokenText,
      "seed.json:2:2: the JSON is broken: the key \"name\" stands twice in one object; correct the file"
    ),
    BadSeed(
      "a number with a zero in front",
      "{\"things\": [{\"int16\": 07}]}",
      .brokenText,
      "seed.json:1:24: the JSON is broken: a number does not start with a zero; correct the file"
    ),
    BadSeed(
      "a line break in a string",
      "{\"tags\": [{\"name\": \"A\nB\"}]}",
      .brokenText,
      "seed.json:1:22: the JSON is broken: a string holds a control character; it has to be written as \\n, \\t or "
        + "\\u00XX; correct the file"
    ),
    BadSeed(
      "an escape that JSON does not know",
      "{\"tags\": [{\"name\": \"A\\x\"}]}",
      .brokenText,
      "seed.json:1:22: the JSON is broken: a backslash is followed by a character that JSON does not know; correct "
        + "the file"
    ),
    BadSeed(
      "half of a character",
      "{\"tags\": [{\"name\": \"\\uD83D\"}]}",
      .brokenText,
      "seed.json:1:21: the JSON is broken: an escape \\u is half of a surrogate pair; correct the file"
    ),
    BadSeed(
      "text after the end",
      "{\"tags\": []}\n{}",
      .brokenText,
      "seed.json:2:1: the JSON is broken: the end of the text is expected, but \"{\" is there; correct the file"
    ),
    BadSeed(
      "values nested without end",
      "{\"tags\": [{\"name\": \(String(repeating: "[", count: 300))",
      .tooLarge,
      "seed.json:1:219: values are nested more than 200 deep; nest them less deep"
    ),
    BadSeed(
      "a text at the top",
      "\"tags\"\n",
      .wrongShape,
      "seed.json:1: the seed is neither an object whose keys are entities nor a list of records; write "
        + "{\"entities\": [{\"key\": value}]}: a list of objects for each entity"
    ),
    BadSeed(
      "a list in a file that no entity is named after",
      "[\n{\"name\": \"A\"}]\n",
      .unknownEntity,
      "seed.json:2: seed: the model has no entity that \"seed\" could mean; the file's name tells the entity of a list; "
        + "the model's entities are: Author, Axe, Axis, Book, Card, Category, Customer, Employee, Note, Odd, Person, "
        + "Remark, Shelf, Tag, Thing"
    ),
    BadSeed(
      "a list that is not closed",
      "[{\"name\": \"A\"}\n",
      in: "tags.json",
      .brokenText,
      "tags.json:2:1: the JSON is broken: the text ends where a value is expected; correct the file"
    ),
    BadSeed(
      "an entity that stands twice",
      "{\"tags\": [],\n\"tags\": []}",
      .wrongShape,
      "seed.json:2: tags: the key \"tags\" stands twice; write {\"entities\": [{\"key\": value}]}: a list of objects "
        + "for each entity"
    ),
    BadSeed(
      "an entity without a list",
      "{\"tags\": {\"name\": \"A\"}}",
      .wrongShape,
      "seed.json:1: tags: the value of \"tags\" is not a list of records; write {\"entities\": [{\"key\": value}]}: a "
        + "list of objects for each entity"
    ),
    BadSeed(
      "a record that is not an object",
      "{\"tags\": [{\"name\": \"A\"}, \"B\"]}",
      .wrongShape,
      "seed.json:1: tags record 2: the record is not an object; write {\"entities\": [{\"key\": value}]}: a list of "
        + "objects for each entity"
    ),
    BadSeed(
      "a line that is not an object",
      "{\"name\": \"A\"}\n[]\n",
      in: "tags.jsonl",
      .wrongShape,
      "tags.jsonl:2: the line is not an object; write one object a line, such as {\"$entity\": \"notes\", \"title\": "
        + "\"Hello\"}"
    ),
    BadSeed(
      "a line with two objects",
      "{\"name\": \"A\"} {}\n",
      in: "tags.jsonl",
      .brokenText,
      "tags.jsonl:1:15: the JSON is broken: the end of the line is expected, but \"{\" is there; correct the file"
    ),
    BadSeed(
      "a line whose entity is not a word",
      "{\"$entity\": 5, \"name\": \"A\"}\n",
      in: "tags.jsonl",
      .wrongShape,
      "tags.jsonl:1: the value of $entity is not a string; write one object a line, such as {\"$entity\": \"notes\", "
        + "\"title\": \"Hello\"}"
    ),
    BadSeed(
      "a row with too many fields",
      "name\nA\nB,C\n",
      in: "tags.csv",
      .wrongShape,
      "tags.csv:3: tags record 2: the row has 2 fields, and the first row 1 keys; put a field that has the separator "
        + "in it into double quotes"
    ),
    BadSeed(
      "a column that stands twice",
      "name,name\nA,B\n",
      in: "tags.csv",
      .wrongShape,
      "tags.csv:1: the key \"name\" stands twice; give each column a key of its own in the first row"
    ),
    BadSeed(
      "a table whose name is not an entity",
      "name\nA\n",
      in: "export.csv",
      .unknownEntity,
      "export.csv:2: export: the model has no entity that \"export\" could mean; the file's name tells the entity; the model's "
        + "entities are: Author, Axe, Axis, Book, Card, Category, Customer, Employee, Note, Odd, Person, Remark, Shelf, Tag, "
        + "Thing"
    ),
    BadSeed(
      "a quote that nothing closes",
      "name\n\"A\nB\n",
      in: "tags.csv",
      .brokenText,
      "tags.csv:2: a double quote has no other that closes it; close it, or put the whole field into double quotes, and "
        + "double those within it"
    ),
    BadSeed(
      "YAML that is a word",
      "tags\n",
      in: "seed.yaml",
      .wrongShape,
      "seed.yaml:1: the seed is neither a mapping whose keys are entities nor a list of records; write a list of "
        + "mappings for each entity"
    ),
    BadSeed(
      "a YAML record that is not a mapping",
      "tags:\n  - name: A\n  - B\n",
      in: "seed.yaml",
      .wrongShape,
      "seed.yaml:3: tags record 2: the record is not a mapping; write a list of mappings for each entity"
    ),
    BadSeed(
      "a YAML list of words",
      "- a\n- b\n",
      in: "tags.yaml",
      .wrongShape,
      "tags.yaml:1: tags record 1: the record is not a mapping; write a list of mappings for each entity"
    ),
    BadSeed(
      "a property list of a text",
      "<plist version=\"1.0\"><string>tags</string></plist>",
      in: "seed.plist",
      .wrongShape,
      "seed.plist: the seed is neither a dictionary whose keys are entities nor an array of records; give an array of "
        + "dictionaries for each entity"
    ),
    BadSeed(
      "what says to be compressed and is not",
      "{\"tags\": []}",
      in: "seed.json.gz",
      .brokenText,
      "seed.json.gz: the file is not compressed by gzip, or breaks off; compress it again, or take .gz off its name"
    ),
  ]
}
