import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { lockFolder } from "./lock.js";

test.skipIf(!existsSync("/proc/self/stat"))(
  "a lock whose process was killed and never reaped by its parent is taken over",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "turnwise-lock-"));
    // The shell becomes a sleep, which asks no child how it ended.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const [text] = (await once(parent.stdout, "data")) as [Buffer]; // a stream without encoding gives buffers
      const pid = Number(text.toString());
      const readFields = () => {
        const status = readFileSync(`/proc/${pid}/stat`, "utf8");
        return status.slice(status.lastIndexOf(")") + 2).split(" ");
      };
      const owner = { pid, host: hostname(), processStart: readFields()[19], token: "t" };
      writeFileSync(join(folder, "lock"), JSON.stringify(owner));
      await expect(lockFolder(folder)).rejects.toThrow(`process ${pid} on `);
      process.kill(pid, "SIGKILL");
      while (readFields()[0] !== "Z") await setImmediate();
      const lock = await lockFolder(folder);
      await lock.release();
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      parent.kill("SIGKILL");
      rmSync(folder, { recursive: true });
    }
  },
);
