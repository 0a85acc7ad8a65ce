import { expect, test } from "vitest";
import { TrainerThread } from "./client.js";

test("a thread that ends while a call waits rejects it and every later one", async () => {
  const thread = new TrainerThread();
  await expect(thread.call("freezeReference", [])).rejects.toThrow("Cannot answer before the engine was created");
  const closed = thread.call("close", []);
  await expect(Promise.all([closed, thread.call("freezeReference", [])])).rejects.toThrow();
  await expect(thread.call("freezeReference", [])).rejects.toThrow("Cannot go on: the trainer's thread ended");
  await thread.close();
});

test("what cannot be sent to the thread is refused and does not block it", async () => {
  const thread = new TrainerThread();
  const broken = { isUncloneable: () => true };
  await expect(thread.call("save", ["x", broken as never])).rejects.toThrow("could not be cloned");
  await expect(thread.call("freezeReference", [])).rejects.toThrow("before the engine was created");
  await thread.close().catch(() => undefined); // there is no engine to release
});
