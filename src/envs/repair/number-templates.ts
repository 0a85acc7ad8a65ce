// internal
import { commonNames, drawInteger, drawIntegers, type TemplateMaker } from "./template.js";

const { i, total, list, item } = commonNames;

/** Programs over numbers. */
export const numberTemplates: readonly TemplateMaker[] = [
  () => ({
    id: "sum-range",
    names: {
      f: ["sumRange", "addUp", "totalBetween"],
      from: ["from", "start", "low"],
      to: ["to", "end", "high"],
      i,
      total,
    },
    purpose: "Adds up the whole numbers between two numbers",
    lines: [
      "function {f}({from}, {to}) {",
      "  let {total} = 0;",
      "  for ({hole}) {total} += {i};",
      "  return {total};",
      "}",
    ],
    fills: [
      { code: "let {i} = {from}; {i} <= {to}; {i} += 1", rule: "Both ends count." },
      { code: "let {i} = {from}; {i} < {to}; {i} += 1", rule: "The first number counts, the last does not." },
      { code: "let {i} = {from} + 1; {i} <= {to}; {i} += 1", rule: "The last number counts, the first does not." },
      { code: "let {i} = {from} + 1; {i} < {to}; {i} += 1", rule: "Neither end counts." },
    ],
    defects: [
      "let {i} = {from}; {i} <= {to}; {i} += 2",
      "let {i} = 0; {i} <= {to}; {i} += 1",
      "let {i} = {from}; {i} >= {to}; {i} += 1",
    ],
    pins: [
      [2, 5],
      [3, 4],
      [4, 9],
    ],
    drawArguments: (random) => [drawInteger(random, 1, 9), drawInteger(random, 12, 25)],
  }),
  (random) => {
    const limit = 10 * drawInteger(random, 3, 8);
    const other = limit + 10;
    const fee = drawInteger(random, 2, 9);
    return {
      id: "shipping-fee",
      names: { f: ["shippingFee", "deliveryFee", "postage"], amount: ["amount", "orderValue", "price"] },
      purpose: "Returns the fee for an order: 0 when it ships free",
      lines: ["function {f}({amount}) {", "  if ({hole}) return 0;", `  return ${fee};`, "}"],
      fills: [
        { code: `{amount} >= ${limit}`, rule: `Orders of ${limit} or more ship free.` },
        { code: `{amount} > ${limit}`, rule: `Orders of more than ${limit} ship free.` },
        { code: `{amount} >= ${other}`, rule: `Orders of ${other} or more ship free.` },
        { code: `{amount} > ${other}`, rule: `Orders of more than ${other} ship free.` },
      ],
      defects: [`{amount} < ${limit}`, `{amount} === ${limit}`, `!{amount} > ${limit}`],
      pins: [[limit - 1], [limit], [limit + 1], [other], [other + 1]],
      drawArguments: (inner) => [drawInteger(inner, 1, 2 * other)],
    };
  },
  (random) => {
    const percent = 10 * drawInteger(random, 1, 4);
    return {
      id: "discount",
      names: {
        f: ["finalPrice", "priceToPay", "discounted"],
        price: ["price", "amount", "cost"],
        coupon: ["coupon", "voucher", "credit"],
      },
      purpose: `Returns a price after ${percent} percent discount and a coupon`,
      lines: ["function {f}({price}, {coupon}) {", "  return {hole};", "}"],
      fills: [
        {
          code: `({price} * (100 - ${percent})) / 100 - {coupon}`,
          rule: "The coupon is taken off after the discount.",
        },
        {
          code: `(({price} - {coupon}) * (100 - ${percent})) / 100`,
          rule: "The coupon is taken off before the discount.",
        },
        {
          code: `Math.min(({price} * (100 - ${percent})) / 100, {price} - {coupon})`,
          rule: "Only the better of discount and coupon counts.",
        },
      ],
      defects: [
        `({price} * ${percent}) / 100 - {coupon}`,
        `({price} * (100 - ${percent})) / 100 + {coupon}`,
        `({price} * (100 + ${percent})) / 100 - {coupon}`,
      ],
      pins: [
        [200, 30],
        [100, 50],
        [500, 10],
      ],
      drawArguments: (inner) => [100 * drawInteger(inner, 1, 20), 10 * drawInteger(inner, 1, 9)],
    };
  },
  () => ({
    id: "rounding",
    names: { f: ["toWhole", "roundAmount", "asInteger"], value: ["value", "amount", "number"] },
    purpose: "Turns a number into a whole number",
    lines: ["function {f}({value}) {", "  return {hole};", "}"],
    fills: [
      { code: "Math.floor({value})", rule: "It is rounded down, towards minus infinity." },
      { code: "Math.ceil({value})", rule: "It is rounded up, towards infinity." },
      { code: "Math.round({value})", rule: "It is rounded to the nearest whole number." },
      { code: "Math.trunc({value})", rule: "The decimals are dropped." },
    ],
    defects: ["Math.abs({value})", "{value}.toFixed(0)", "Math.floor(-{value})"],
    pins: [[2.25], [2.75], [-2.25], [-2.75]],
    drawArguments: (random) => [drawInteger(random, -80, 80) / 8],
  }),
  () => ({
    id: "balance",
    names: { f: ["balance", "settle", "reduceAll"], start: ["start", "opening", "initial"], list, item, total },
    purpose: "Goes through a list of numbers, combining each with what there is so far",
    lines: [
      "function {f}({start}, {list}) {",
      "  let {total} = {start};",
      "  for (const {item} of {list}) {total} = {hole};",
      "  return {total};",
      "}",
    ],
    fills: [
      { code: "{total} - {item}", rule: "Each is subtracted from what there is." },
      { code: "{item} - {total}", rule: "What there is is subtracted from each." },
      { code: "Math.abs({total} - {item})", rule: "The distance between the two is kept." },
      { code: "{total} + {item}", rule: "Each is added to what there is." },
    ],
    defects: ["{item}", "{total} - {start}", "{total} * 0 - {item}"],
    pins: [
      [10, [3]],
      [5, [9, 1]],
      [2, [7, 4, 1]],
    ],
    drawArguments: (random) => [drawInteger(random, 1, 20), drawIntegers(random, drawInteger(random, 1, 4), 1, 30)],
  }),
  (random) => {
    const limit = drawInteger(random, 4, 9);
    return {
      id: "count-beyond",
      names: { f: ["countMatches", "howMany", "tally"], list, item, total: ["count", "found", "matches"] },
      purpose: `Counts the numbers of a list on one side of ${limit}`,
      lines: [
        "function {f}({list}) {",
        "  let {total} = 0;",
        "  for (const {item} of {list}) {",
        "    if ({hole}) {total} += 1;",
        "  }",
        "  return {total};",
        "}",
      ],
      fills: [
        { code: `{item} > ${limit}`, rule: `It counts those greater than ${limit}.` },
        { code: `{item} >= ${limit}`, rule: `It counts those of at least ${limit}.` },
        { code: `{item} < ${limit}`, rule: `It counts those smaller than ${limit}.` },
        { code: `{item} <= ${limit}`, rule: `It counts those of at most ${limit}.` },
      ],
      defects: [`{total} > ${limit}`, `{item} !== ${limit}`, `{item} > -${limit}`],
      pins: [[[limit]], [[limit - 1, limit, limit + 1, limit + 2]], [[limit + 1]]],
      drawArguments: (inner) => [drawIntegers(inner, drawInteger(inner, 2, 7), limit - 3, limit + 3)],
    };
  },
  () => ({
    id: "recurrence",
    names: { f: ["term", "sequence", "nth"], n: ["n", "k", "place"] },
    purpose: "Returns a term of a sequence, counted from 0, in which each term is the sum of the two before it",
    lines: ["function {f}({n}) {", "  {hole}", "  return {f}({n} - 1) + {f}({n} - 2);", "}"],
    fills: [
      { code: "if ({n} < 2) return {n};", rule: "It begins 0, 1." },
      { code: "if ({n} < 2) return 1;", rule: "It begins 1, 1." },
      { code: "if ({n} < 2) return 2 - {n};", rule: "It begins 2, 1." },
    ],
    defects: ["if ({n} < 1) return {n};", "if ({n} === 2) return {n};", ""],
    pins: [[0], [1], [4], [6]],
    drawArguments: (random) => [drawInteger(random, 2, 12)],
  }),
  (random) => {
    const gift = drawInteger(random, 5, 15);
    return {
      id: "points",
      names: { f: ["totalPoints", "score", "collect"], list, item, total },
      purpose: "Adds up the points of a list",
      lines: [
        "function {f}({list}) {",
        "  let {total} = {hole};",
        "  for (const {item} of {list}) {total} += {item};",
        "  return {total};",
        "}",
      ],
      fills: [
        { code: "0", rule: "An empty list gives 0 points." },
        { code: "1", rule: "There is 1 point to begin with." },
        { code: String(gift), rule: `There are ${gift} points to begin with.` },
        { code: "{list}.length", rule: "There is 1 point more for each entry." },
      ],
      defects: ['""', "undefined", "-1"],
      pins: [[[]], [[2, 3]], [[4]]],
      drawArguments: (inner) => [drawIntegers(inner, drawInteger(inner, 2, 4), 1, 20)],
    };
  },
  (random) => {
    const top = drawInteger(random, 8, 15);
    return {
      id: "limit-range",
      names: { f: ["keepInRange", "fit", "limitTo"], value: ["value", "number", "reading"] },
      purpose: `Brings a number into the range 0..${top - 1}`,
      lines: ["function {f}({value}) {", "  return {hole};", "}"],
      fills: [
        { code: `Math.min(Math.max({value}, 0), ${top - 1})`, rule: "Numbers outside become the nearest end." },
        {
          code: `(({value} % ${top}) + ${top}) % ${top}`,
          rule: `Numbers outside wrap round: ${top} becomes 0, -1 becomes ${top - 1}.`,
        },
        { code: `{value} < 0 || {value} >= ${top} ? 0 : {value}`, rule: "Numbers outside become 0." },
      ],
      defects: [
        `Math.max(Math.min({value}, 0), ${top - 1})`,
        `{value} % ${top - 1}`,
        `{value} > 0 || {value} >= ${top} ? 0 : {value}`,
      ],
      pins: [[top + 2], [-3], [3], [2 * top - 2]],
      drawArguments: (inner) => [drawInteger(inner, -2 * top, 3 * top)],
    };
  },
  () => ({
    id: "average",
    names: { f: ["average", "mean", "typical"], list, item, total },
    purpose: "Returns an average of a list of at least two numbers",
    lines: [
      "function {f}({list}) {",
      "  let {total} = 0;",
      "  for (const {item} of {list}) {total} += {item};",
      "  return {total} / {hole};",
      "}",
    ],
    fills: [
      { code: "{list}.length", rule: "The sum is divided by the count." },
      { code: "({list}.length - 1)", rule: "The sum is divided by the count less one." },
      { code: "Math.max(1, {list}.filter(({item}) => {item} !== 0).length)", rule: "Zeros do not count as entries." },
    ],
    defects: ["{total}", "{list}", "({list}.length + 1)"],
    pins: [[[2, 4]], [[0, 6, 0]], [[1, 0, 2, 9]]],
    drawArguments: (random) => [[0, ...drawIntegers(random, drawInteger(random, 2, 5), 0, 20)]],
  }),
];
