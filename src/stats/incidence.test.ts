import fc from "fast-check";
import { expect, test } from "vitest";
import { cumulativeIncidence, successIfQuitsCensored, type EpisodeExit } from "./incidence.js";

/** The two-mode chains of statistics.md section 5: success, clean, error from each mode, and the chance to quit. */
const chainA = { clean: [0.15, 0.45, 0.4], error: [0.02, 0.18, 0.8], quit: [0.02, 0.3] };
const chainB = { clean: [0.13, 0.45, 0.42], error: [0.05, 0.4, 0.55], quit: [0.01, 0.05] };

/** Returns every way an episode of a chain can end within `maxTurns`, weighted by its exact chance. */
function enumerateExits({ clean, error, quit }: typeof chainA, maxTurns: number): EpisodeExit[] {
  const exits: EpisodeExit[] = [];
  let inClean = 1;
  let inError = 0;
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const quitting = inClean * quit[0] + inError * quit[1];
    const actClean = inClean * (1 - quit[0]);
    const actError = inError * (1 - quit[1]);
    if (quitting > 0) exits.push({ turn, end: "quit", weight: quitting });
    exits.push({ turn, end: "success", weight: actClean * clean[0] + actError * error[0] });
    inClean = actClean * clean[1] + actError * error[1];
    inError = actClean * clean[2] + actError * error[2];
  }
  return [...exits, { turn: maxTurns, end: "censored", weight: inClean + inError }];
}
const last = <T>(items: readonly T[]): T => items[items.length - 1];

test.each([
  { maxTurns: 1, a: 0.147, b: 0.1287 },
  { maxTurns: 2, a: 0.217315, b: 0.205786 },
  { maxTurns: 3, a: 0.258658, b: 0.270783 },
  { maxTurns: 4, a: 0.28615, b: 0.327936 },
  { maxTurns: 8, a: 0.336957, b: 0.497137 },
  { maxTurns: 16, a: 0.355342, b: 0.662893 },
  { maxTurns: 32, a: 0.356955, b: 0.747134 },
])("cumulativeIncidence() of the golden chains at T = $maxTurns is $a and $b", ({ maxTurns, a, b }) => {
  expect(last(cumulativeIncidence(enumerateExits(chainA, maxTurns))).success).toBeCloseTo(a, 6);
  expect(last(cumulativeIncidence(enumerateExits(chainB, maxTurns))).success).toBeCloseTo(b, 6);
});
// statistics.md 2.5: three different quantities at T = 8.
test.each([
  { name: "A", chain: chainA, incidence: 0.337, forced: 0.457, quitFirst: 0.512, actFirst: 0.451 },
  { name: "B", chain: chainB, incidence: 0.497, forced: 0.543, quitFirst: 0.546, actFirst: 0.535 },
])("chain $name at T = 8: incidence, forced continuation and both 1 - KM are the golden ones", (row) => {
  const rows = cumulativeIncidence(enumerateExits(row.chain, 8));
  expect(last(rows).success).toBeCloseTo(row.incidence, 3);
  const forced = cumulativeIncidence(enumerateExits({ ...row.chain, quit: [0, 0] }, 8));
  expect(last(forced).success).toBeCloseTo(row.forced, 3);
  expect(last(successIfQuitsCensored(rows))).toBeCloseTo(row.quitFirst, 3);
  expect(last(successIfQuitsCensored(rows, "act_first"))).toBeCloseTo(row.actFirst, 3);
});
test("cumulativeIncidence() gives hazards and incidences one can check by eye", () => {
  const exits: EpisodeExit[] = [
    { turn: 1, end: "success" },
    { turn: 1, end: "quit" },
    { turn: 2, end: "fail" },
    { turn: 2, end: "censored" },
  ];
  expect(cumulativeIncidence(exits, { maxTurns: 3 })).toEqual([
    { turn: 1, atRisk: 4, successHazard: 0.25, quitHazard: 0.25, failHazard: 0, success: 0.25, quit: 0.25, fail: 0 },
    { turn: 2, atRisk: 2, successHazard: 0, quitHazard: 0, failHazard: 0.5, success: 0.25, quit: 0.25, fail: 0.25 },
    { turn: 3, atRisk: 0, successHazard: 0, quitHazard: 0, failHazard: 0, success: 0.25, quit: 0.25, fail: 0.25 },
  ]);
});
const anyExit = fc.record({
  turn: fc.integer({ min: 1, max: 10 }),
  end: fc.constantFrom<EpisodeExit["end"]>("success", "quit", "fail"),
  weight: fc.constantFrom(1, 0.5, 0.25),
});
test("cumulativeIncidence() of one shared budget is the weighted share that ended so within T, and never falls", () => {
  fc.assert(
    fc.property(
      fc.array(anyExit, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 8 }),
      (exits, maxTurns) => {
        const rows = cumulativeIncidence(exits, { maxTurns });
        const total = exits.reduce((sum, exit) => sum + exit.weight, 0);
        rows.forEach((row, i) => {
          for (const end of ["success", "quit", "fail"] as const) {
            const within = exits.filter((exit) => exit.end === end && exit.turn <= row.turn);
            expect(row[end]).toBeCloseTo(within.reduce((sum, exit) => sum + exit.weight, 0) / total, 10);
            if (i > 0) expect(row[end]).toBeGreaterThanOrEqual(rows[i - 1][end]);
          }
        });
      },
    ),
  );
});
test("successIfQuitsCensored() with quits before acts is never below the incidence of success", () => {
  fc.assert(
    fc.property(fc.array(anyExit, { minLength: 1, maxLength: 40 }), (exits) => {
      const rows = cumulativeIncidence(exits);
      successIfQuitsCensored(rows).forEach((value, i) => expect(value).toBeGreaterThanOrEqual(rows[i].success - 1e-12));
    }),
  );
});
test("cumulativeIncidence() with weights 1/n is the mean over tasks; without them it is the pooled rate", () => {
  const task = (samples: number, successes: number): EpisodeExit[] =>
    Array.from({ length: samples }, (_, i) => ({ turn: 2, end: i < successes ? "success" : "censored" }));
  const exits = [task(16, 8), task(4, 0), task(4, 0)];
  const weighed = exits.flatMap((task) => task.map((exit) => ({ ...exit, weight: 1 / task.length })));
  expect(last(cumulativeIncidence(weighed)).success).toBeCloseTo(0.5 / 3, 12);
  expect(last(cumulativeIncidence(exits.flat())).success).toBeCloseTo(8 / 24, 12);
});
test("cumulativeIncidence() accepts no episode and an episode without a turn, and refuses bad ones", () => {
  expect(cumulativeIncidence([])).toEqual([]);
  expect(cumulativeIncidence([{ turn: 0, end: "censored" }], { maxTurns: 1 })[0].atRisk).toBe(0);
  expect(() => cumulativeIncidence([{ turn: 0, end: "success" }])).toThrow(RangeError);
  expect(() => cumulativeIncidence([{ turn: 1.5, end: "quit" }])).toThrow(RangeError);
  expect(() => cumulativeIncidence([{ turn: 1, end: "quit", weight: 0 }])).toThrow(RangeError);
});
