// internal
import type { Random } from "../../core/index.js";
import type { LookupComparison, LookupData, LookupParagraph } from "./lookup-data.js";
import { createParagraphSearch } from "./paragraph-search.js";
import {
  createNamer,
  fillTemplate,
  kindFacts,
  kinds,
  writeParagraph,
  type Entity,
  type Kind,
  type Namer,
} from "./world.js";

/** Paragraphs of a task, those that must be read included. */
const paragraphCount = 10;

/** What a difficulty level asks for: chains of a comparison and their length, the length of a bridge, and confusion. */
interface Level {
  readonly chainCount: number;
  readonly chainLength: number;
  readonly bridgeLength: number;
  /** Whether the other paragraphs bear names that share a word with those to be read. */
  readonly isConfusing: boolean;
}
const levels: readonly Level[] = [
  { chainCount: 2, chainLength: 1, bridgeLength: 2, isConfusing: false },
  { chainCount: 2, chainLength: 1, bridgeLength: 2, isConfusing: true },
  { chainCount: 3, chainLength: 1, bridgeLength: 3, isConfusing: true },
  { chainCount: 2, chainLength: 2, bridgeLength: 4, isConfusing: true },
];
/** Number of difficulty levels. */
export const lookupLevelCount = levels.length;

/** Returns a value inside the range: one at its end would settle a comparison alone. */
function drawMeasure(kind: Kind, random: Random): number {
  const [low, high] = kindFacts[kind].measure.range;
  return low + 1 + random.nextInt(high - low - 1);
}

function createEntity(kind: Kind, name: string, namer: Namer, random: Random): Entity {
  const links = kindFacts[kind].relations.map(({ target }) => namer.create(target));
  return { kind, name, links, measure: drawMeasure(kind, random) };
}

/** A chain of entities, each naming the next through its relation `steps[i]`. */
interface Chain {
  readonly entities: readonly Entity[];
  /** Asks for the last entity in terms of the first: "the author of The Brae of Skoun". */
  readonly phrase: string;
}

/** Returns a chain that takes the relations `steps`, beginning with an entity of kind `first`. */
function createChain(first: Kind, steps: readonly number[], namer: Namer, random: Random): Chain {
  const entities = [createEntity(first, namer.create(first), namer, random)];
  let phrase = first === "river" ? `the ${entities[0].name}` : entities[0].name;
  for (const step of steps) {
    const { kind, links } = entities[entities.length - 1];
    const { target, phrase: template } = kindFacts[kind].relations[step];
    phrase = fillTemplate(template, { x: phrase });
    entities.push(createEntity(target, links[step], namer, random));
  }
  return { entities, phrase };
}

function drawSteps(count: number, random: Random): number[] {
  return Array.from({ length: count }, () => random.nextInt(2)); // every kind has two relations
}

/** A question before its paragraphs are shuffled among others. */
interface Draft {
  readonly kind: LookupData["kind"];
  readonly question: string;
  readonly chains: readonly (readonly Entity[])[];
  readonly answers: readonly string[];
  readonly comparison?: LookupComparison;
}

/** The articles a name is written with do not count; a river or lake may be named without its first word. */
function listAnswerForms(name: string, kind: Kind): string[] {
  return kind === "river" || kind === "lake" ? [name, name.replace(/^(River|Lake) /, "")] : [name];
}

function draftBridge({ bridgeLength }: Level, namer: Namer, random: Random): Draft {
  const { entities, phrase } = createChain(random.pick(kinds), drawSteps(bridgeLength - 1, random), namer, random);
  const last = entities[entities.length - 1];
  const { relations, measure } = kindFacts[last.kind];
  const choice = random.nextInt(relations.length + 1);
  const relation = relations[choice]; // none for the choice beyond them: the measure
  const asked = fillTemplate((relation ?? measure).phrase, { x: phrase });
  const question = `${relation?.target === "person" ? "Who" : "What"} is ${asked}?`;
  const answers =
    relation === undefined ? [String(last.measure)] : listAnswerForms(last.links[choice], relation.target);
  return { kind: "bridge", question, chains: [entities], answers };
}

function draftComparison({ chainCount, chainLength }: Level, namer: Namer, random: Random): Draft | undefined {
  const first = random.pick(kinds);
  const steps = drawSteps(chainLength - 1, random);
  const chains = Array.from({ length: chainCount }, () => createChain(first, steps, namer, random));
  const ends = chains.map(({ entities }) => entities[entities.length - 1]);
  const values = ends.map(({ measure }) => measure);
  if (new Set(values).size < values.length) return undefined;
  const { measure } = kindFacts[ends[0].kind];
  const wanted = random.nextInt(2) === 0 ? "least" : "greatest";
  const candidates = chains.map(({ entities }) => entities[0].name);
  const best = values.indexOf(wanted === "least" ? Math.min(...values) : Math.max(...values));
  const names = `${candidates.slice(0, -1).join(", ")} or ${candidates[candidates.length - 1]}`;
  const question =
    chainLength === 1
      ? `Which of these ${measure[wanted]}: ${names}?`
      : `Compare ${chains.map(({ phrase }) => phrase).join(" and ")}: which of them ${measure[wanted]}? Answer with ${names}.`;
  const comparison = { candidates, values, wanted, range: measure.range } as const;
  return {
    kind: "comparison",
    question,
    chains: chains.map(({ entities }) => entities),
    answers: listAnswerForms(candidates[best], first),
    comparison,
  };
}

/**
 * Returns a question of this kind and level with its knowledge base, or `undefined` when the draw cannot be used: two
 * compared values are the same, or a paragraph is not the first result of a search for its own title.
 */
export function generateLookup(kind: LookupData["kind"], level: number, random: Random): LookupData | undefined {
  const setting = levels[level - 1];
  const namer = createNamer(random);
  const draft = kind === "bridge" ? draftBridge(setting, namer, random) : draftComparison(setting, namer, random);
  if (draft === undefined) return undefined;
  const gold = draft.chains.flat();
  const others = Array.from({ length: paragraphCount - gold.length }, (_, i) => {
    const like = gold[i % gold.length];
    const name = namer.create(like.kind, setting.isConfusing ? like.name : undefined);
    return createEntity(like.kind, name, namer, random);
  });
  const entities = random.shuffle([...gold, ...others]);
  const paragraphs: LookupParagraph[] = entities.map((entity) => ({
    title: entity.name,
    text: writeParagraph(entity, random),
  }));
  const search = createParagraphSearch(paragraphs);
  if (paragraphs.some(({ title }, position) => search.find(title, 1)[0] !== position)) return undefined;
  const { question, answers, comparison } = draft;
  return {
    kind,
    question,
    paragraphs,
    chains: draft.chains.map((chain) => chain.map((entity) => entities.indexOf(entity))),
    answers,
    ...(comparison === undefined ? {} : { comparison }),
  };
}
