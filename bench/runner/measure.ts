/** Runs the job once and prints what it cost as one JSON line. Imports are over by then; warming up is not. */
export async function measure(job: () => Promise<number>): Promise<void> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const solved = await job();
  const wallSeconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    `${JSON.stringify({ solved, wallSeconds, cpuSeconds: (user + system) / 1e6, peakMegabytes })}\n`,
  );
  process.exit(0);
}
