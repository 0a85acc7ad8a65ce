// internal
import type { Random } from "../../core/index.js";

/** What an entity of the made-up world is. */
export type Kind = "person" | "firm" | "town" | "river" | "lake" | "book";

/** A fact that names another entity. `phrase` asks for it, `statements` tell it; `{x}` is the entity, `{v}` the value. */
interface Relation {
  readonly target: Kind;
  readonly phrase: string;
  readonly statements: readonly string[];
}

/** A fact that is a number. */
interface Measure {
  readonly phrase: string;
  readonly statements: readonly string[];
  /** Lowest and highest value; every value between is equally likely. */
  readonly range: readonly [number, number];
  /** How to ask for the entity with the lowest and with the highest value. */
  readonly least: string;
  readonly greatest: string;
}

/** Everything the world knows about one kind of entity. */
export interface KindFacts {
  readonly openings: readonly string[];
  readonly relations: readonly Relation[];
  readonly measure: Measure;
}

/** The facts each kind of entity has; every paragraph states all of its kind. */
export const kindFacts: Readonly<Record<Kind, KindFacts>> = {
  person: {
    openings: ["{x} is a {trade}.", "{x} became known as a {trade}.", "{x}, a {trade}, is still at work."],
    relations: [
      {
        target: "town",
        phrase: "the birthplace of {x}",
        statements: ["{x} was born in {v}.", "The birthplace of {x} is {v}."],
      },
      {
        target: "firm",
        phrase: "the firm that employs {x}",
        statements: ["{x} works for {v}.", "The firm that employs {x} is {v}."],
      },
    ],
    measure: {
      phrase: "the year of birth of {x}",
      statements: ["The year of birth is {v}.", "{x} was born in the year {v}."],
      range: [1780, 1979],
      least: "was born earliest",
      greatest: "was born latest",
    },
  },
  firm: {
    openings: ["{x} is a firm that makes {goods}.", "The firm {x} trades in {goods}."],
    relations: [
      {
        target: "person",
        phrase: "the founder of {x}",
        statements: ["{x} was founded by {v}.", "The founder of {x} is {v}."],
      },
      {
        target: "town",
        phrase: "the town where {x} has its seat",
        statements: ["{x} has its seat in {v}.", "The seat of {x} is {v}."],
      },
    ],
    measure: {
      phrase: "the founding year of {x}",
      statements: ["The founding year is {v}.", "It was set up in the year {v}."],
      range: [1750, 1989],
      least: "was founded earliest",
      greatest: "was founded latest",
    },
  },
  town: {
    openings: ["{x} is a town known for its {goods}.", "{x} is a market town where {goods} are sold."],
    relations: [
      {
        target: "river",
        phrase: "the river that flows through {x}",
        statements: ["The {v} flows through {x}.", "{x} lies on the {v}."],
      },
      {
        target: "person",
        phrase: "the mayor of {x}",
        statements: ["The mayor of {x} is {v}.", "{v} is mayor of {x}."],
      },
    ],
    measure: {
      phrase: "the year in which {x} received its charter",
      statements: ["{x} received its charter in the year {v}.", "The charter dates from the year {v}."],
      range: [1200, 1699],
      least: "received its charter earliest",
      greatest: "received its charter latest",
    },
  },
  river: {
    openings: ["The {x} is a river with many {animals}.", "The {x} is a river whose banks are home to {animals}."],
    relations: [
      {
        target: "lake",
        phrase: "the lake that feeds {x}",
        statements: ["The {x} is fed by {v}.", "{v} feeds the {x}."],
      },
      {
        target: "person",
        phrase: "the surveyor of {x}",
        statements: ["The {x} was surveyed by {v}.", "The surveyor of the {x} was {v}."],
      },
    ],
    measure: {
      phrase: "the length of {x} in kilometres",
      statements: ["Its length is {v} kilometres.", "The {x} is {v} kilometres long."],
      range: [40, 639],
      least: "is shortest",
      greatest: "is longest",
    },
  },
  lake: {
    openings: ["{x} is a lake in which {animals} live.", "{x} is a lake known for its {animals}."],
    relations: [
      {
        target: "town",
        phrase: "the town on the shore of {x}",
        statements: ["The town on its shore is {v}.", "{v} lies on the shore of {x}."],
      },
      {
        target: "person",
        phrase: "the discoverer of {x}",
        statements: ["{x} was discovered by {v}.", "The discoverer of {x} is {v}."],
      },
    ],
    measure: {
      phrase: "the depth of {x} in metres",
      statements: ["Its depth is {v} metres.", "{x} is {v} metres deep."],
      range: [10, 309],
      least: "is shallowest",
      greatest: "is deepest",
    },
  },
  book: {
    openings: ["{x} is a book about {goods}.", "{x} is a novel about a {trade}."],
    relations: [
      {
        target: "person",
        phrase: "the author of {x}",
        statements: ["{x} was written by {v}.", "The author of {x} is {v}."],
      },
      {
        target: "firm",
        phrase: "the publisher of {x}",
        statements: ["{x} was published by {v}.", "The publisher of {x} is {v}."],
      },
    ],
    measure: {
      phrase: "the year of publication of {x}",
      statements: ["It came out in the year {v}.", "The year of publication is {v}."],
      range: [1800, 1999],
      least: "was published earliest",
      greatest: "was published latest",
    },
  },
};
/** Every kind, in a fixed order. */
export const kinds: readonly Kind[] = ["person", "firm", "town", "river", "lake", "book"];

const fillers: Readonly<Record<string, readonly string[]>> = {
  trade: ["glazier", "botanist", "cartographer", "violin maker", "bridge builder", "weaver", "goldsmith", "printer"],
  goods: ["lamps", "barometers", "ropes", "clocks", "tiles", "harps", "lenses", "saddles"],
  animals: ["otters", "herons", "eels", "newts", "kingfishers", "beavers", "swans", "crayfish"],
};

const onsets = [
  "b",
  "br",
  "d",
  "dr",
  "f",
  "g",
  "gr",
  "h",
  "k",
  "kl",
  "l",
  "m",
  "n",
  "p",
  "r",
  "s",
  "sk",
  "st",
  "t",
  "tr",
  "v",
  "w",
  "z",
];
const vowels = ["a", "e", "i", "o", "u", "ae", "ei", "ou"];
const codas = ["l", "m", "n", "nd", "r", "rn", "s", "sk", "th", "v", "x", "lt"];

/** Makes names that no two entities of one task share, unless they are meant to. */
export interface Namer {
  /** Returns a new name for an entity of this kind; `near` lends it one of its words. */
  create(kind: Kind, near?: string): string;
}

/** Returns a maker of made-up names; no word is used twice. */
export function createNamer(random: Random): Namer {
  const used = new Set<string>();
  function createWord(): string {
    for (;;) {
      const syllables = [0, 1].map(() => random.pick(onsets) + random.pick(vowels));
      const word = syllables.join("") + random.pick(codas);
      if (used.has(word)) continue;
      used.add(word);
      return word[0].toUpperCase() + word.slice(1);
    }
  }
  function create(kind: Kind, near?: string): string {
    const shared = near?.split(" ").at(-1);
    switch (kind) {
      case "person":
        return `${createWord()} ${shared ?? createWord()}`;
      case "firm":
        return `${createWord()} & ${shared ?? createWord()}`;
      case "town":
        return shared === undefined ? createWord() : `${createWord()} ${shared}`;
      case "river":
        return `River ${createWord()}${shared === undefined ? "" : ` ${shared}`}`;
      case "lake":
        return `Lake ${createWord()}${shared === undefined ? "" : ` ${shared}`}`;
      case "book":
        return `The ${createWord()} of ${shared ?? createWord()}`;
      default:
        return kind satisfies never;
    }
  }
  return { create };
}

/** One entity with a value for each of its kind's facts. */
export interface Entity {
  readonly kind: Kind;
  readonly name: string;
  /** Names, in the order of the kind's relations. */
  readonly links: readonly string[];
  readonly measure: number;
}

/** Returns a template with its places filled in. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (place: string, key: string) => values[key] ?? place);
}

/** Returns the paragraph that states every fact of an entity, in some order and wording. */
export function writeParagraph({ kind, name, links, measure }: Entity, random: Random): string {
  const { openings, relations, measure: measured } = kindFacts[kind];
  const extras = Object.fromEntries(Object.entries(fillers).map(([key, words]) => [key, random.pick(words)]));
  const facts = [
    ...relations.map(({ statements }, i) => fillTemplate(random.pick(statements), { x: name, v: links[i] ?? "" })),
    fillTemplate(random.pick(measured.statements), { x: name, v: String(measure) }),
  ];
  return [fillTemplate(random.pick(openings), { x: name, ...extras }), ...random.shuffle(facts)].join(" ");
}
