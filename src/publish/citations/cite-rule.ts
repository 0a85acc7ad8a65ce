import type { Severity } from "../../core/index.js";
import type { Assurance, PublishDocument } from "../document.js";
import type { CitationUse } from "./mentions.js";
import type { Registry, RegistryEntry } from "./registry.js";
import type { WorkStatement } from "./statements.js";
import type { Venue } from "./venues.js";

/** One use of a work with what is said and known of it. */
export interface JudgedUse extends CitationUse {
  readonly document: PublishDocument;
  readonly statement: WorkStatement;
  readonly entry?: RegistryEntry;
  /** Canonical id: its own, or that of its entry. */
  readonly canonical?: string;
}

/** What the rules judge. */
export interface CiteSubject {
  readonly document: PublishDocument;
  readonly uses: readonly JudgedUse[];
  /** Uses in the other documents of the set. */
  readonly otherUses: readonly JudgedUse[];
  readonly registry: Registry;
  /** Whether the document names a bibliography. */
  readonly hasRegistry: boolean;
  readonly level: Assurance;
  /** ISO date. */
  readonly today: string;
  readonly venues: readonly Venue[];
}

/** What a rule found. */
export interface CiteFault {
  readonly message: string;
  readonly line?: number;
  /** Key or canonical id of the work. */
  readonly work?: string;
  readonly severity?: Severity;
  /** What the text would say if the registry is right. */
  readonly proposal?: { readonly from: string; readonly to: string };
}

/** What was found, with the rule that found it. */
export interface RuledFault extends CiteFault {
  readonly ruleId: string;
}

/** One documented case: its test. */
export interface CiteExample {
  readonly name: string;
  readonly markdown: string;
  /** BibTeX of the registry. */
  readonly bibtex?: string;
  /** Further fields under `custom` by key. */
  readonly custom?: { readonly [key: string]: RegistryEntry["custom"] };
  readonly others?: { readonly [file: string]: string };
  readonly level?: Assurance;
  /** Messages in order; empty for a sound document. */
  readonly messages: readonly string[];
}

/** One check of citations. Its examples are its tests. */
export interface CiteRule {
  /** E.g. `cite.arxiv-shape`. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence: what it finds. */
  readonly description: string;
  /** Why that matters, and what the rule cannot tell. */
  readonly rationale: string;
  readonly remedy: string;
  readonly examples: readonly CiteExample[];
  check(subject: CiteSubject): readonly CiteFault[];
}

/** Names a work for readers: its key, or its id. */
export function nameWork({ key, arxiv, doi }: CitationUse): string {
  if (key !== undefined) return `@${key}`;
  return arxiv === undefined ? `doi:${doi}` : `arXiv:${arxiv}`;
}
