// internal
import {
  canonicalJson,
  isQuit,
  type Action,
  type CodecSession,
  type DisclosedBudget,
  type JsonObject,
  type JsonValue,
  type Observation,
} from "../../core/index.js";
import type { ToolGrammar } from "./action-grammar.js";
import { getShownText, ShownWords } from "./shown-words.js";
import { splitPieces } from "./text-pieces.js";
import { continueValue, decodeValue, encodeValue, type EpisodeWords } from "./value-reader.js";
import {
  encodeShownText,
  endId,
  getSpecialId,
  nextId,
  quitId,
  skipId,
  SlotBinding,
  type WordTable,
} from "./word-table.js";

/** What a session needs of its codec. */
export interface SessionGrammar {
  readonly table: WordTable;
  readonly tools: readonly ToolGrammar[];
  readonly canQuit: boolean;
  readonly rewrite: (text: string) => string;
}

/** What a list of ids is: an action begun, with what may follow, or a complete one. */
type ReadAction =
  | { readonly type: "open"; readonly allowed: readonly number[] }
  | { readonly type: "complete"; readonly action: Action };

function toAllowed(ids: Iterable<number>): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

class WordSession implements CodecSession {
  readonly #grammar: SessionGrammar;
  readonly #words: EpisodeWords;

  constructor(grammar: SessionGrammar) {
    const { table } = grammar;
    const slots = new SlotBinding(table);
    this.#grammar = grammar;
    this.#words = { table, slots, shown: new ShownWords(table, slots) };
  }

  encodeObservation(observation: Observation, budget?: DisclosedBudget): readonly number[] {
    const { table, rewrite } = this.#grammar;
    const { slots, shown } = this.#words;
    const ids = encodeShownText(table, slots, splitPieces(rewrite(getShownText(observation))));
    shown.add(ids);
    return [getSpecialId("<obs>"), ...ids, ...this.#encodeBudget(budget), getSpecialId("<act>")];
  }

  /** As `renderDisclosure()` words it: all turns once, or the turns left each time. */
  #encodeBudget(budget: DisclosedBudget | undefined): number[] {
    if (budget === undefined || budget.disclosure === "hidden") return [];
    const { disclosure, maxTurns, turnsLeft } = budget;
    if (disclosure === "static" && turnsLeft !== maxTurns) return [];
    const digits = Array.from(String(turnsLeft), (digit) => this.#grammar.table.digitIds[Number(digit)]);
    return [getSpecialId(disclosure === "static" ? "<budget>" : "<left>"), ...digits];
  }

  #read(sampled: readonly number[]): ReadAction {
    const { tools, canQuit } = this.#grammar;
    const [first] = sampled;
    const starts = [...tools.map(({ id }) => id), ...(canQuit ? [quitId] : [])];
    if (first === undefined) return { type: "open", allowed: toAllowed(starts) };
    if (first === quitId && canQuit) return this.#readEnd(sampled, 1, { text: "quit", quit: true });
    const tool = tools.find(({ id }) => id === first);
    if (tool === undefined) throw new RangeError(`Cannot read an action: it begins with id ${first}, which is no tool`);
    return this.#readCall(sampled, tool);
  }

  /** Reads the end token where nothing before it has ended the action. */
  #readEnd(sampled: readonly number[], at: number, action: Action): ReadAction {
    if (sampled.length === at) return { type: "open", allowed: [endId] };
    if (sampled[at] === endId && sampled.length === at + 1) return { type: "complete", action };
    throw new RangeError(`Cannot read an action: id ${sampled[at]} at position ${at} stands where the end must be`);
  }

  #readCall(sampled: readonly number[], { name, parameters }: ToolGrammar): ReadAction {
    const values: Record<string, JsonValue> = {};
    const toAction = (): Action => ({ text: "", toolCalls: [{ name, arguments: values }] });
    let at = 1;
    for (const [index, { name: parameter, isOptional, rule }] of parameters.entries()) {
      const stop = index === parameters.length - 1 ? endId : nextId;
      const value: number[] = [];
      if (isOptional && sampled[at] === skipId) {
        at += 1;
        continue;
      }
      for (;;) {
        const { ids, canEnd, isDone } = continueValue(rule, value, this.#words);
        if (isDone === true) break;
        if (at === sampled.length) {
          const skip = isOptional && value.length === 0 ? [skipId] : [];
          return { type: "open", allowed: toAllowed([...ids, ...skip, ...(canEnd ? [stop] : [])]) };
        }
        const id = sampled[at];
        at += 1;
        if (id === stop && canEnd) {
          values[parameter] = decodeValue(rule, value, this.#words);
          if (stop === endId) return this.#finish(sampled, at, toAction());
          break;
        }
        if (!ids.includes(id)) {
          throw new RangeError(
            `Cannot read an action: id ${id} at position ${at - 1} is not allowed in "${parameter}" of "${name}"`,
          );
        }
        value.push(id);
      }
      values[parameter] = decodeValue(rule, value, this.#words);
    }
    return this.#readEnd(sampled, at, toAction());
  }

  #finish(sampled: readonly number[], at: number, action: Action): ReadAction {
    if (at === sampled.length) return { type: "complete", action };
    throw new RangeError(`Cannot read an action: ${sampled.length - at} ids follow its end`);
  }

  listAllowed(sampled: readonly number[]): readonly number[] {
    const read = this.#read(sampled);
    return read.type === "open" ? read.allowed : [];
  }

  decodeAction(sampled: readonly number[]): Action {
    const read = this.#read(sampled);
    if (read.type === "complete") return read.action;
    throw new RangeError(`Cannot decode an action of ${sampled.length} ids: it is not complete`);
  }

  encodeAction(action: Action): readonly number[] | undefined {
    if (isQuit(action)) return this.#grammar.canQuit ? [quitId, endId] : undefined;
    const [call, ...others] = action.toolCalls ?? [];
    if (call === undefined || others.length > 0 || action.invalid !== undefined) return undefined;
    const tool = this.#grammar.tools.find(({ name }) => name === call.name);
    const given = call.arguments ?? (call.rawArguments === undefined ? {} : undefined);
    const ids = tool === undefined || given === undefined ? undefined : this.#encodeCall(tool, given);
    return ids === undefined || !this.#isWritten(ids, given) ? undefined : ids;
  }

  #encodeCall(tool: ToolGrammar, given: JsonObject): number[] | undefined {
    const ids = [tool.id];
    for (const [index, { name, isOptional, rule }] of tool.parameters.entries()) {
      const isLast = index === tool.parameters.length - 1;
      const value = given[name];
      if (value === undefined) {
        if (!isOptional) return undefined;
        ids.push(skipId, ...(isLast ? [endId] : []));
        continue;
      }
      const written = encodeValue(rule, value, this.#words);
      if (written === undefined) return undefined;
      const needsStop = isLast || !(rule.type === "choice" && rule.isPrefixFree);
      ids.push(...written, ...(needsStop ? [isLast ? endId : nextId] : []));
    }
    if (tool.parameters.length === 0) ids.push(endId);
    return ids;
  }

  /** Says whether the ids are an action of this grammar and mean these arguments, unknown ones included. */
  #isWritten(ids: readonly number[], given: JsonObject | undefined): boolean {
    try {
      const call = this.decodeAction(ids).toolCalls?.[0];
      return canonicalJson(call?.arguments) === canonicalJson(given);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }
}

/** Returns a new episode of a word codec. */
export function startWordSession(grammar: SessionGrammar): CodecSession {
  return new WordSession(grammar);
}
