import { expect, test } from "vitest";
import { loadPythonParser } from "./python-parser.js";
import { analyzeScripts } from "./typescript-names.js";
import { findDataFaults } from "./data-faults.js";

const python = await loadPythonParser();

test.each([
  { name: "a name that nothing binds", code: "x = 1\nprint(x, y)", names: ["y@2"] },
  {
    name: "imports, aliases and dotted modules",
    code: "import a.b as c, d.e\nfrom f import g as h, i\nc; d; h; i; e; g",
    names: ["e@3", "g@3"],
  },
  {
    name: "parameters of every kind",
    code: "def f(a, b=1, *c, d: int = 2, e: str, **g):\n  return a, b, c, d, e, g, z",
    names: ["z@2"],
  },
  { name: "a default is read where the function stands", code: "def f(a, b=a): return b", names: ["a@1"] },
  {
    name: "comprehensions keep their names",
    code: "xs = [1]\n[x for x in xs if x]\n{k: v for k, v in xs}\nx",
    names: ["x@4"],
  },
  { name: "the first iterable is read outside", code: "[x for x in x]", names: ["x@1"] },
  { name: "a walrus leaves the comprehension", code: "any((hit := n) for n in [1])\nprint(hit)", names: [] },
  {
    name: "with, for, except and unpacking",
    code: "with open('a') as f, f as (m, *n): pass\nfor i, (j, *k) in []: pass\ntry: pass\nexcept (OSError, ValueError) as e: e\n(p, q), *r = 1, 2\nf, m, n, i, j, k, p, q, r",
    names: [],
  },
  {
    name: "names of a class are hidden from its methods",
    code: "class A:\n  n = 1\n  m = n\n  def f(self): return n",
    names: ["n@4"],
  },
  { name: "recursion and later functions", code: "def f(): return g() + f()\ndef g(): return 1", names: [] },
  { name: "global binds at the module", code: "def f():\n  global g\n  g = 1\nprint(g)", names: [] },
  {
    name: "match captures, values and classes",
    code: "v = 1\nmatch v:\n  case Point(x=0, y=yy): yy\n  case [a, *rest]: a, rest\n  case {'k': w, **o}: w, o\n  case M.B: pass\n  case _ as all_of_it: all_of_it",
    names: ["Point@3", "M@6"],
  },
  {
    name: "annotations and generics",
    code: "def f[T](a: T) -> U: ...\ntype X[S] = list[S]\nclass B[R](G): r: R",
    names: ["U@1", "G@3"],
  },
  {
    name: "f-strings, attributes and keywords",
    code: "print(f'{a!r:>{w}}', sep='')\nq = 1\nq.z = q.y",
    names: ["a@1", "w@1"],
  },
  { name: "lambdas", code: "f = lambda u, v=2: u + v + w", names: ["w@1"] },
  { name: "decorators", code: "@d\ndef f(): pass", names: ["d@1"] },
  { name: "prompts and shell lines", code: "!pip install x\n%time y\nz = 1", names: [] },
  { name: "a session", code: ">>> import math\n>>> math.sqrt(x)\n2.0", names: ["x@2"] },
])("undefined names of Python: $name", ({ code, names }) => {
  const { faults, names: found } = python.analyze(code);
  expect(faults).toEqual([]);
  expect(found.undefinedNames.map(({ name, line }) => `${name}@${line}`)).toEqual(names);
});

test("a name used above the line that binds it is late, except inside functions", () => {
  const { names } = python.analyze("def f(): return math.pi\nx = math.e\nimport math\nclass C: y = z\nz = 1");
  expect(names.lateNames).toEqual([
    { name: "math", line: 2, boundLine: 3, isImport: true },
    { name: "z", line: 4, boundLine: 5, isImport: false },
  ]);
});

test.each([
  ["def f(:\n  pass", 1],
  ["x = 1\ny = = 2", 2],
  ["print 'x'", 1],
  ["if x\n  y", 1],
  ["a = [1, 2\nb = 3", 1],
])("Python that does not parse: %s", (code, line) => {
  expect(python.analyze(code).faults.map((fault) => fault.line)).toContain(line);
});

test("undefined names of TypeScript by the compiler, types included", () => {
  const facts = analyzeScripts([
    {
      language: "ts",
      code: "import { a } from 'b';\nconst c: Missing = a + d;\nexport function f<T>(x: T) { return { x, y }; }",
    },
    {
      language: "js",
      code: "console.log(process.argv, Math.max(1), nope);\nlabel: for (const [p, { q }] of []) p + q;",
    },
    { language: "tsx", code: "const v = <div>{w}</div>;" },
    { language: "ts", code: "let x = ;\nundefinedName" },
    { language: "js", code: "{\n  type: 'text',\n  children: [{ type: name }]\n}" },
  ]);
  expect(facts.map(({ undefinedNames }) => undefinedNames.map(({ name, line }) => `${name}@${line}`))).toEqual([
    ["Missing@2", "d@2", "y@3"],
    ["nope@1"],
    ["w@1"],
    [],
    [],
  ]);
  expect(facts[0].definitions).toEqual([
    { name: "a", line: 1, isImport: true },
    { name: "c", line: 2, isImport: false },
    { name: "f", line: 3, isImport: false },
  ]);
  expect(facts.map(({ faults }) => faults)).toEqual([[], [], [], [{ line: 1, message: "Expression expected" }], []]);
});

test.each([
  ["json", '{"a": [1, 2]}', []],
  ["json", '{\n"a": 1,\n}', [3]],
  ["json", "{'a': 1}", [1]],
  ["json", '{"a": ...}', [1]],
  ["jsonl", '{"a": 1}\n\n{"a": }', [3]],
  ["jsonc", '{ // note\n"a": 1 }', []],
  ["yaml", "a: 1\nb: [1, 2", [2]],
  ["yaml", "a: 1\n---\nb: 2", []],
])("faults of %s in %s", (language, code, lines) => {
  expect(findDataFaults(language, code)?.map(({ line }) => line)).toEqual(lines);
});
