import Foundation
import Seeding

extension BadSeed {
  static let headers = [
    BadSeed(
      "a header key that is not known",
      "{\"$key\": {}, \"tags\": []}",
      .unknownKey,
      "seed.json:1: key \"$key\": a header has no key of this name; correct the key to \"$keys\""
    ),
    BadSeed(
      "a header after records",
      "{\"tags\": [{\"name\": \"A\"}],\n\"$dates\": \"iso8601\"}",
      .wrongShape,
      "seed.json:2: key \"$dates\": a header stands after records; put it first in the file"
    ),
    BadSeed(
      "natural keys that are not an object",
      "{\"$keys\": [\"name\"]}",
      .wrongShape,
      "seed.json:1: key \"$keys\": natural keys are declared by an object; write {\"notes\": [\"title\"]}: the names "
        + "of properties for each entity"
    ),
    BadSeed(
      "a natural key of numbers",
      "{\"$keys\": {\"tags\": [1]}}",
      .wrongShape,
      "seed.json:1: key \"$keys.tags\": the number 1 is not a name of a property; give a list of names, which is empty "
        + "for an entity without a natural key"
    ),
    BadSeed(
      "a natural key of an unknown entity",
      "{\"$keys\": {\"tagz\": [\"name\"]}}",
      .unknownEntity,
      "seed.json:1: key \"$keys\": the model has no entity that \"tagz\" could mean; correct the word to \"Tag\""
    ),
    BadSeed(
      "a natural key of an unknown property",
      "{\"$keys\": {\"tags\": [\"nam\"]}}",
      .unknownKey,
      "seed.json:1: key \"$keys\": Tag has no property \"nam\"; correct the name to \"name\""
    ),
    BadSeed(
      "a natural key that can be none",
      "{\"$keys\": {\"tags\": [\"notes\"]}}",
      .noNaturalKey,
      "seed.json:1: key \"$keys\": notes cannot be the natural key of Tag; give attributes of whole numbers, decimals, "
        + "strings, dates, UUIDs or URIs, and relationships to one object that has a natural key itself"
    ),
    BadSeed(
      "two natural keys for one entity",
      files: [
        ("a.json", Data("{\"$keys\": {\"odds\": [\"short\"]}}".utf8)),
        ("b.json", Data("{\"$keys\": {\"odds\": [\"coded\"]}}".utf8)),
      ],
      .ambiguousKey,
      "b.json:1: key \"$keys\": another seed of this run declares another natural key for Odd; declare the same in "
        + "both, or load them one after the other"
    ),
    BadSeed(
      "a natural key that comes too late",
      files: [
        ("a.json", Data("{\"tags\": [{\"name\": \"A\"}]}".utf8)),
        ("b.json", Data("{\"$keys\": {\"tags\": []}}".utf8)),
      ],
      .ambiguousKey,
      "b.json:1: key \"$keys\": the natural key of Tag is declared after records or references have been read without "
        + "it; declare it in the first seed of the run"
    ),
    BadSeed(
      "dates in no known way",
      "{\"$dates\": \"american\"}",
      .wrongShape,
      "seed.json:1: key \"$dates\": the string \"american\" is not a way to write dates; give byLook, iso8601, "
        + "secondsSince1970, millisecondsSince1970, secondsSince2001 or a format such as \"dd.MM.yyyy\", where MM is "
        + "the month and mm the minute"
    ),
    BadSeed(
      "a plain that is neither true nor false",
      "{\"$plain\": \"yes\"}",
      .wrongShape,
      "seed.json:1: key \"$plain\": the string \"yes\" is not a boolean; give true or false"
    ),
  ]
}
