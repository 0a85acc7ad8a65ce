// The job of the attribution benchmark in a process of its own; prints what it took and found.
import { createRandom, type Trajectory, type Turn } from "../../src/core/index.js";
import { attributeLogs, collectChainSide } from "../../src/diagnose/index.js";

const taskCount = 1000;
const samples = 16;
const maxTurns = 16;

const rates = { a: { quit: [0.02, 0.2], good: 0.1 }, b: { quit: [0.01, 0.05], good: 0.4 } } as const;

/** Plays one episode as a record: progress by chance, one step from the goal and back. */
function playEpisode(
  side: "a" | "b",
  task: number,
  sampleIndex: number,
  difficulty: number,
  random: ReturnType<typeof createRandom>,
): Trajectory {
  const turns: Turn[] = [];
  let distance = 6;
  let isInError = false;
  let end: Trajectory["stopReason"] = { type: "max_turns" };
  while (turns.length < maxTurns) {
    const { quit, good } = rates[side];
    if (random.next() < quit[isInError ? 1 : 0]) {
      turns.push({ observation: { text: "" }, action: { text: "", quit: true } });
      end = { type: "quit" };
      break;
    }
    const isGood: boolean = random.next() < 1 / (1 + Math.exp(difficulty - good - (isInError ? 0.3 : 0)));
    const isOver = isGood && random.next() < 0.15;
    const after = isOver ? 0 : isGood ? distance - 1 : distance;
    turns.push({
      observation: { text: "" },
      action: { text: "go" },
      distanceBefore: distance,
      distanceAfter: after,
      solvedAfter: isOver,
    });
    isInError = !isGood;
    distance = after;
    if (isOver) {
      end = { type: "env_end", kind: "solved" };
      break;
    }
  }
  return {
    schema: "turnwise.trajectory/1",
    episodeId: `${side}-${task}-${sampleIndex}`,
    task: { id: `${task}`, hash: `${task}` },
    sampleIndex,
    policy: { id: side },
    env: { id: "bench", version: "1" },
    budget: { maxTurns },
    disclosure: "hidden",
    terminalRule: "act",
    turns,
    stopReason: end,
    success: end.type === "env_end",
  };
}

const random = createRandom("attribution bench");
const episodes: { a: Trajectory[]; b: Trajectory[] } = { a: [], b: [] };
for (let task = 0; task < taskCount; task += 1) {
  const difficulty = random.nextNormal();
  for (const side of ["a", "b"] as const) {
    for (let sample = 0; sample < samples; sample += 1)
      episodes[side].push(playEpisode(side, task, sample, difficulty, random));
  }
}
const start = performance.now();
const startCpu = process.cpuUsage();
const a = await collectChainSide(episodes.a, { label: "a" });
const b = await collectChainSide(episodes.b, { label: "b" });
const result = attributeLogs(a, b, { replicates: 1000, budgets: [1, 2, 4, 8, 16] });
const cpu = process.cpuUsage(startCpu);
const last = result.rows[result.rows.length - 1];
const mean = (list: readonly Trajectory[]): number => list.filter((one) => one.success).length / list.length;
const { decision, recovery, persistence, gap } = last;
process.stdout.write(
  JSON.stringify({
    wallSeconds: (performance.now() - start) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1000,
    classCount: result.classes?.[0]?.classCount,
    endpointError: Math.max(Math.abs(last.valueA - mean(episodes.a)), Math.abs(last.valueB - mean(episodes.b))),
    shareError: Math.abs(
      decision.estimate.value + recovery.estimate.value + persistence.estimate.value - gap.estimate.value,
    ),
  }),
);
