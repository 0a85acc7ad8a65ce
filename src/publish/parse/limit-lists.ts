// internal
import { list } from "micromark-core-commonmark";
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from "micromark-util-types";

/**
 * How deep lists may stand in each other while they are read. The time of reading grows with the cube of the depth; at
 * this one it is far below a second, and `limitDepth` has taken the text as written long before.
 */
const maxLists = 90;
/** Least number of columns that a level of a list takes: its mark and a blank. */
const levelWidth = 2;

function countOpenLists({ events }: TokenizeContext): number {
  let count = 0;
  for (const [kind, { type }] of events)
    if (type === "listUnordered" || type === "listOrdered") count += kind === "enter" ? 1 : -1;
  return count;
}

function isTooDeep(context: TokenizeContext): boolean {
  // What does not stand far to the right cannot be deep, so that events are counted in no text that people write.
  return context.now().column > maxLists * levelWidth && countOpenLists(context) >= maxLists;
}

function tokenizeList(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  // A state of a container that is being continued names its type.
  const isNext = this.containerState?.["type"] !== undefined;
  const start = list.tokenize.call(this, effects, ok, nok);
  return (code: Code) => (!isNext && isTooDeep(this) ? nok(code) : start(code));
}

function continueList(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  // The next item of a list is looked for by the rule of the library, which is switched off in favour of this one.
  const own: Effects = {
    ...effects,
    attempt: (construct, onOk, onNok) => effects.attempt(construct === list ? limitedList : construct, onOk, onNok),
  };
  const { continuation } = list;
  if (continuation === undefined) throw new RangeError("Cannot read lists: the parser has no rule to continue them");
  return continuation.tokenize.call(this, own, ok, nok);
}

const limitedList: Construct = {
  ...list,
  name: "limitedList",
  tokenize: tokenizeList,
  continuation: { tokenize: continueList },
};

const markers = "*+-0123456789".split("").map((sign) => [sign.charCodeAt(0), limitedList] as const);

/** A change to the grammar of CommonMark: beyond a depth that no text needs, a mark begins no further list. */
export const listSyntax: Extension = { document: Object.fromEntries(markers), disable: { null: ["list"] } };
