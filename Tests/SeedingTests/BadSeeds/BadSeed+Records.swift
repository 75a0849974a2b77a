import Foundation
import Seeding

extension BadSeed {
  /// Names that the model does not have, or that a record repeats.
  static let records = [
    BadSeed(
      "an unknown entity",
      "{\"tags\": [{\"name\": \"A\"}], \"colours\": [{\"name\": \"red\"}]}",
      .unknownEntity,
      "seed.json:1: colours: the model has no entity that \"colours\" could mean; the model's entities are: Author, "
        + "Axe, Axis, Book, Card, Category, Customer, Employee, Note, Odd, Person, Remark, Shelf, Tag, Thing"
    ),
    BadSeed(
      "a misspelt entity",
      "{\"catgory\": [{}]}",
      .unknownEntity,
      "seed.json:1: catgory: the model has no entity that \"catgory\" could mean; correct the word to \"Category\""
    ),
    BadSeed(
      "a plural of two entities",
      "{\"axes\": [{}]}",
      .unknownEntity,
      "seed.json:1: axes: \"axes\" could mean Axe or Axis; write the entity's exact name"
    ),
    BadSeed(
      "an abstract entity",
      "{\"people\": [{\"name\": \"A\"}]}",
      .unknownEntity,
      "seed.json:1: people: Person is abstract, so it has no objects; name one of its subentities: Customer, Employee"
    ),
    BadSeed(
      "a record of another entity than its list",
      "{\"people\": [{\"$entity\": \"Tag\", \"name\": \"A\"}]}",
      .unknownEntity,
      "seed.json:1: people record 1: Tag is not a subentity of Person; name Person or a subentity of it"
    ),
    BadSeed(
      "an unknown key",
      "{\"tags\": [{\"name\": \"A\"}, {\"name\": \"B\",\n \"colour\": 1}]}",
      .unknownKey,
      "seed.json:1: Tag record 2, key \"colour\": Tag has no property of this name; the keys of Tag are: name, notes"
    ),
    BadSeed(
      "a misspelt key",
      "{\"notes\": [{\"titel\": \"A\"}]}",
      .unknownKey,
      "seed.json:1: Note record 1, key \"titel\": Note has no property of this name; correct the key to \"title\""
    ),
    BadSeed(
      "several unknown keys",
      "{\"notes\": [{\"titel\": \"A\", \"foo\": 1, \"tags\": [{\"name\": \"T\", \"nam\": 1}]}],\n"
        + "\"tags\": [{\"name\": \"A\", \"foo\": 1}, {\"name\": 7.5, \"foo\": 2}]}",
      .unknownKey,
      "seed.json:1: Note record 1, key \"titel\": Note has no property of this name; the same is true of Note \"foo\", "
        + "Tag \"nam\", Tag \"foo\"; correct the key to \"title\""
    ),
    BadSeed(
      "an unknown key with a dollar sign",
      "{\"tags\": [{\"$di\": \"A\"}]}",
      .unknownKey,
      "seed.json:1: Tag record 1, key \"$di\": a record has no key of this name; its keys with a dollar sign are $id, "
        + "$entity"
    ),
    BadSeed(
      "an unknown column",
      "name,colour\nA,1\n",
      in: "tags.csv",
      .unknownKey,
      "tags.csv:2: Tag record 1, key \"colour\": Tag has no property of this name; the keys of Tag are: name, notes"
    ),
    BadSeed(
      "a derived attribute",
      "{\"odds\": [{\"upper\": \"A\"}]}",
      .unknownKey,
      "seed.json:1: Odd record 1, key \"upper\": the attribute is derived from others; remove the key"
    ),
    BadSeed(
      "one property under two keys",
      "{\"notes\": [{\"title\": \"A\", \"created_at\": 1, \"createdAt\": 2}]}",
      .wrongShape,
      "seed.json:1: Note record 1, key \"createdAt\": createdAt is given by another key of the record already; remove "
        + "one of them"
    ),
    BadSeed(
      "a key path through what is not an object",
      "{\"odds\": [{\"city\": \"Oslo\"}]}",
      .wrongType,
      "seed.json:1: Odd record 1, key \"city\": the string \"Oslo\" is not an object in which city.name could lie; give an "
        + "object"
    ),
  ]
}
