// internal
import { commonNames, drawInteger, drawIntegers, type TemplateMaker } from "./template.js";

const { list, item, total } = commonNames;
const words = [
  "ant",
  "bee",
  "Cat",
  "crane",
  "eel",
  "finch",
  "Gnu",
  "heron",
  "ibis",
  "level",
  "newt",
  "Noon",
  "otter",
  "Radar",
  "swan",
];
const phrases = [
  "Never odd or even",
  "never odd",
  "Noon",
  "noon",
  "no on",
  "step on no pets",
  "a b",
  "Anna",
  "anna",
  "an na",
];

/** Programs over lists and texts. */
export const listTemplates: readonly TemplateMaker[] = [
  () => ({
    id: "extreme-word",
    names: {
      f: ["pickWord", "chooseWord", "selectWord"],
      list: ["words", ...list],
      item: ["word", ...item],
      best: ["best", "chosen", "winner"],
    },
    purpose: "Picks one word of a list by its length",
    lines: [
      "function {f}({list}) {",
      "  let {best} = {list}[0];",
      "  for (const {item} of {list}) {",
      "    if ({hole}) {best} = {item};",
      "  }",
      "  return {best};",
      "}",
    ],
    fills: [
      { code: "{item}.length > {best}.length", rule: "The longest wins; of several, the first." },
      { code: "{item}.length >= {best}.length", rule: "The longest wins; of several, the last." },
      { code: "{item}.length < {best}.length", rule: "The shortest wins; of several, the first." },
      { code: "{item}.length <= {best}.length", rule: "The shortest wins; of several, the last." },
    ],
    defects: ["{item} > {best}.length", "{item}.length === {best}", "{best}.length > {best}.length"],
    pins: [[["ab", "cde", "fgh", "i", "j"]], [["abc", "d", "e", "fgh"]]],
    drawArguments: (random) => [Array.from({ length: drawInteger(random, 3, 6) }, () => random.pick(words))],
  }),
  () => ({
    id: "palindrome",
    names: {
      f: ["isMirrored", "readsBothWays", "isPalindrome"],
      text: ["text", "phrase", "input"],
      plain: ["plain", "clean", "letters"],
    },
    purpose: "Says whether a text reads the same backwards",
    lines: [
      "function {f}({text}) {",
      "  const {plain} = {hole};",
      '  return [...{plain}].reverse().join("") === {plain};',
      "}",
    ],
    fills: [
      { code: "{text}", rule: "Case and spaces count." },
      { code: "{text}.toLowerCase()", rule: "Case does not count, spaces do." },
      { code: '{text}.replaceAll(" ", "")', rule: "Spaces do not count, case does." },
      { code: '{text}.toLowerCase().replaceAll(" ", "")', rule: "Neither case nor spaces count." },
    ],
    defects: ['""', "{text}.length", "{text}.slice(1)"],
    pins: [["Noon"], ["a nna"], ["Never odd or even"], ["noon"], ["newt"]],
    drawArguments: (random) => [random.pick([...phrases, ...words])],
  }),
  () => ({
    id: "find-position",
    names: { f: ["findPlace", "locate", "whereIs"], list, item: ["wanted", "target", "key"] },
    purpose: "Returns the place of a number in a list that holds it",
    lines: ["function {f}({list}, {item}) {", "  return {hole};", "}"],
    fills: [
      { code: "{list}.indexOf({item})", rule: "Places are counted from 0; of several, the first counts." },
      { code: "{list}.indexOf({item}) + 1", rule: "Places are counted from 1; of several, the first counts." },
      { code: "{list}.lastIndexOf({item})", rule: "Places are counted from 0; of several, the last counts." },
      { code: "{list}.lastIndexOf({item}) + 1", rule: "Places are counted from 1; of several, the last counts." },
    ],
    defects: ["{list}.includes({item})", "{item}.indexOf({list})", "{list}.indexOf({item}) - 1"],
    pins: [
      [[4, 7, 4], 4],
      [[1, 2, 3, 2, 1], 2],
      [[5], 5],
    ],
    drawArguments: (random) => {
      const numbers = drawIntegers(random, drawInteger(random, 3, 7), 1, 4);
      return [numbers, random.pick(numbers)];
    },
  }),
  () => ({
    id: "page",
    names: {
      f: ["getPage", "pageOf", "slicePage"],
      list,
      page: ["page", "number", "which"],
      size: ["size", "perPage", "count"],
      start: ["start", "first", "begin"],
    },
    purpose: "Returns one page of a list",
    lines: [
      "function {f}({list}, {page}, {size}) {",
      "  const {start} = {hole};",
      "  return {list}.slice({start}, {start} + {size});",
      "}",
    ],
    fills: [
      { code: "{page} * {size}", rule: "Pages are counted from 0." },
      { code: "({page} - 1) * {size}", rule: "Pages are counted from 1." },
      {
        code: "{page} * ({size} - 1)",
        rule: "Pages are counted from 0 and share their border entry with the next page.",
      },
    ],
    defects: ["{page} + {size}", "{page}", "{size} * {size}"],
    pins: [
      [[1, 2, 3, 4, 5, 6, 7, 8, 9], 1, 3],
      [[1, 2, 3, 4, 5, 6, 7, 8, 9], 2, 3],
      [[1, 2, 3, 4, 5, 6], 2, 2],
    ],
    drawArguments: (random) => [drawIntegers(random, 12, 1, 9), drawInteger(random, 1, 3), drawInteger(random, 2, 4)],
  }),
  (random) => {
    const age = drawInteger(random, 12, 20);
    return {
      id: "admission",
      names: {
        f: ["mayEnter", "isAdmitted", "canJoin"],
        age: ["age", "years"],
        member: ["isMember", "hasTicket", "isInvited"],
      },
      purpose: `Says who is let in: being ${age} years old or more and having the pass both play a part`,
      lines: ["function {f}({age}, {member}) {", "  return {hole};", "}"],
      fills: [
        { code: `{age} >= ${age} && {member}`, rule: "Both are needed." },
        { code: `{age} >= ${age} || {member}`, rule: "One of the two is enough." },
        { code: `{age} >= ${age} !== {member}`, rule: "Exactly one of the two must hold." },
      ],
      defects: [`{age} < ${age} && {member}`, "{member} && !{member}", `{age} >= ${age} && {age}`],
      pins: [
        [age, true],
        [age, false],
        [age - 1, true],
        [age - 1, false],
      ],
      drawArguments: (inner) => [drawInteger(inner, age - 4, age + 4), inner.nextInt(2) === 0],
    };
  },
  () => ({
    id: "ordering",
    names: { f: ["arrange", "inOrder", "sorted"], list, a: ["a", "left", "one"], b: ["b", "right", "other"] },
    purpose: "Returns the numbers of a list in order",
    lines: ["function {f}({list}) {", "  return [...{list}].sort(({a}, {b}) => {hole});", "}"],
    fills: [
      { code: "{a} - {b}", rule: "The smallest comes first." },
      { code: "{b} - {a}", rule: "The greatest comes first." },
      { code: "Math.abs({a}) - Math.abs({b})", rule: "The nearest to 0 comes first, whatever its sign." },
    ],
    defects: ["{a} > {b}", "{a} + {b}", "0"],
    pins: [[[3, -5, 1]], [[-2, 10, 4]]],
    drawArguments: (random) => [
      [-11, ...random.shuffle([1, -2, 3, -4, 5, -6, 7, -8, 9]).slice(0, drawInteger(random, 3, 6))],
    ],
  }),
  (random) => {
    const shift = drawInteger(random, 2, 11);
    return {
      id: "cipher",
      names: {
        f: ["encode", "disguise", "scramble"],
        text: ["text", "word", "message"],
        code: ["code", "letter", "place"],
      },
      purpose: `Replaces each small letter by another, with the key ${shift}`,
      lines: [
        "function {f}({text}) {",
        "  return [...{text}]",
        "    .map((each) => each.charCodeAt(0) - 97)",
        "    .map(({code}) => {hole})",
        "    .map((each) => String.fromCharCode(each + 97))",
        '    .join("");',
        "}",
      ],
      fills: [
        { code: `({code} + ${shift}) % 26`, rule: `Letters move ${shift} places on, from z to a.` },
        { code: `({code} - ${shift} + 26) % 26`, rule: `Letters move ${shift} places back, from a to z.` },
        { code: `(25 - {code} + ${shift}) % 26`, rule: `The alphabet is turned round, then moved ${shift} places on.` },
      ],
      defects: [`{code} + ${shift}`, `({code} * ${shift}) % 26`, `({code} + ${shift}) % 25`],
      pins: [["abz"], ["hello"]],
      drawArguments: (inner) => [
        Array.from({ length: drawInteger(inner, 4, 8) }, () => String.fromCharCode(97 + inner.nextInt(26))).join(""),
      ],
    };
  },
  () => ({
    id: "merge",
    names: {
      f: ["mergePairs", "combine", "joinLists"],
      first: ["first", "left", "one"],
      second: ["second", "right", "other"],
      i: commonNames.i,
    },
    purpose: "Makes one list of two lists of the same length, position by position",
    lines: ["function {f}({first}, {second}) {", "  return {first}.map((_, {i}) => {hole});", "}"],
    fills: [
      { code: "{first}[{i}] + {second}[{i}]", rule: "It holds the sums." },
      { code: "{first}[{i}] - {second}[{i}]", rule: "It holds the first less the second." },
      { code: "{second}[{i}] - {first}[{i}]", rule: "It holds the second less the first." },
      { code: "Math.max({first}[{i}], {second}[{i}])", rule: "It holds the greater of the two." },
    ],
    defects: ["{first}[{i}] + {second}", "{first}[{i} + 1] + {second}[{i} + 1]", "{i}"],
    pins: [
      [
        [1, 8],
        [5, 2],
      ],
      [[7], [3]],
    ],
    drawArguments: (random) => {
      const length = drawInteger(random, 2, 5);
      return [drawIntegers(random, length, 1, 30), drawIntegers(random, length, 31, 60)];
    },
  }),
  () => ({
    id: "group-count",
    names: { f: ["countChanges", "countSteps", "countPairs"], list, i: commonNames.i, total },
    purpose: "Counts the neighbours in a list that stand in a certain relation",
    lines: [
      "function {f}({list}) {",
      "  let {total} = 0;",
      "  for (let {i} = 1; {i} < {list}.length; {i} += 1) {",
      "    if ({hole}) {total} += 1;",
      "  }",
      "  return {total};",
      "}",
    ],
    fills: [
      { code: "{list}[{i}] !== {list}[{i} - 1]", rule: "It counts neighbours that differ." },
      { code: "{list}[{i}] === {list}[{i} - 1]", rule: "It counts neighbours that are equal." },
      { code: "{list}[{i}] > {list}[{i} - 1]", rule: "It counts the steps up." },
      { code: "{list}[{i}] < {list}[{i} - 1]", rule: "It counts the steps down." },
    ],
    defects: ["{list}[{i}] !== {list}[{i}]", "{list}[{i}] > {list}", "{list}[{i} + 1] === {list}[{i} - 1]"],
    pins: [[[1, 2, 2, 1, 3, 4, 4, 4]], [[5, 5]], [[3, 1]]],
    drawArguments: (random) => [drawIntegers(random, drawInteger(random, 4, 8), 1, 3)],
  }),
];
