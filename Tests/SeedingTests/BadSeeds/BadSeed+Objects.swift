import Foundation
import Seeding

extension BadSeed {
  /// Valid records that create objects which the model forbids.
  static let objects = [
    BadSeed(
      "a missing required value",
      "{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\"}], \"notes\": [\n{\"contents\": \"x\"}]}",
      .invalidObject,
      "seed.json:2: Note record 1, key \"title\": the required value is missing; give one, or make it optional or "
        + "give it a default in the model"
    ),
    BadSeed(
      "null for a required value",
      "{\"tags\": [{\"name\": null}]}",
      .invalidObject,
      "seed.json:1: Tag record 1, key \"name\": the required value is missing; give one, or make it optional or give "
        + "it a default in the model"
    ),
    BadSeed(
      "a missing required value in a record within another",
      "{\"books\": [{\"title\": \"A\", \"author\": {\"books\": [\"A\"]}}]}",
      .invalidObject,
      "seed.json:1: Book record 1, key \"author.name\": the required value is missing; give one, or make it optional "
        + "or give it a default in the model"
    ),
    BadSeed(
      "a value that breaks a rule of the model",
      "{\"odds\": [{\"short\": \"abcd\"}]}",
      .invalidObject,
      "seed.json:1: Odd record 1, key \"short\": the model's rules do not allow this object: abcd is not a valid short of "
        + "Odd: too long; correct the value"
    ),
    BadSeed(
      "two records with one natural key",
      "{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\"}, {\"name\": \"A\"}]}",
      .ambiguousKey,
      "seed.json:1: Tag record 3, key \"name\": record 1 has the name \"A\" as well; remove one, or declare another "
        + "natural key in $keys of the seed"
    ),
    BadSeed(
      "two files with one natural key of two",
      files: [
        ("a.json", Data("{\"cards\": [{\"suit\": \"hearts\", \"value\": 1}]}".utf8)),
        ("b.jsonl", Data("{\"$entity\": \"cards\", \"suit\": \"hearts\", \"value\": 1}".utf8)),
      ],
      .ambiguousKey,
      "b.jsonl:1: Card record 1, key \"suit, value\": record 1 of a.json has the suit, value \"hearts\", 1 as well; "
        + "remove one, or declare another natural key in $keys of the seed"
    ),
  ]
}
