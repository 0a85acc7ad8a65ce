import { expect, test } from "vitest";
import { createLazyRandom, createRandom } from "./random.js";

test("createLazyRandom() draws what createRandom() draws for the same seed", () => {
  const lazy = createLazyRandom(7, "turn", 3);
  const eager = createRandom(7, "turn", 3);
  const draw = (random: typeof lazy) => [
    random.next(),
    random.nextInt(1000),
    random.nextUint32(),
    random.nextNormal(),
    random.pick([1, 2, 3, 4, 5]),
    random.shuffle([1, 2, 3, 4, 5]),
  ];
  expect(draw(lazy)).toEqual(draw(eager));
  expect(draw(lazy)).toEqual(draw(eager));
});

test("createLazyRandom() gives methods that work when taken off it", () => {
  const { next, nextInt } = createLazyRandom(1);
  const random = createRandom(1);
  expect([next(), nextInt(10), next()]).toEqual([random.next(), random.nextInt(10), random.next()]);
});
