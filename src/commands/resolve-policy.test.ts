import { expect, test } from "vitest";
import { createLookupEnv, createVaultEnv } from "../envs/index.js";
import { resolvePlayers } from "./eval-budget.js";
import { splitLabel } from "./resolve-policy.js";

test.each([
  { text: "rl=runs/rl", label: "rl", specification: "runs/rl" },
  { text: "after RL=runs/rl", label: "after RL", specification: "runs/rl" },
  { text: "nach Übung=runs/x", label: "nach Übung", specification: "runs/x" },
  { text: "训练后=chat:m", label: "训练后", specification: "chat:m" },
  { text: "100%=runs/a=b", label: "100%", specification: "runs/a=b" },
  { text: "runs/a=b", label: undefined, specification: "runs/a=b" },
  { text: "C:\\runs\\a=b", label: undefined, specification: "C:\\runs\\a=b" },
  { text: "chat:model=1", label: undefined, specification: "chat:model=1" },
  { text: "run#a=b", label: undefined, specification: "run#a=b" },
  { text: " =run", label: undefined, specification: " =run" },
  { text: "=run", label: undefined, specification: "=run" },
  { text: "a\u0007=run", label: undefined, specification: "a\u0007=run" },
])("splitLabel() of $text is $label and $specification", ({ text, label, specification }) => {
  expect(splitLabel(text)).toEqual(label === undefined ? { specification } : { label, specification });
});

test.each(["trained:vault/rl", "mine=trained:vault/rl"])(
  "%s is refused in an env whose words its weights do not know, and plays in its own",
  async (policy) => {
    await expect(resolvePlayers(createVaultEnv(), { policies: [policy] })).resolves.toHaveLength(1);
    await expect(resolvePlayers(createLookupEnv(), { policies: [policy] })).rejects.toMatchObject({
      kind: "input",
      message: expect.stringMatching(
        /^Cannot play policy "(vault-rl|mine)" in env "lookup": its weights were trained in env "vault", and this is "lookup"$/,
      ) as unknown,
    });
    const other = { ...createVaultEnv(), tools: createLookupEnv().tools };
    await expect(resolvePlayers(other, { policies: [policy] })).rejects.toThrow(
      "its weights were trained with the tools ",
    );
  },
);
