// Times one way of making a page from the tutorial, in a process of its own, and prints the outcome.
import { makeTutorial } from "./document.js";

const rounds = 7;

/** Prints the time of the first page of the process and the middle one of those after it, in milliseconds. */
export async function measure(render: (source: string) => string | Promise<string>): Promise<void> {
  const source = makeTutorial();
  const times: number[] = [];
  const processor: number[] = [];
  let html = "";
  for (let round = 0; round <= rounds; round += 1) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    html = await render(source);
    times.push(performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
  }
  const [first, ...rest] = times;
  const middle = rest.sort((a, b) => a - b)[Math.floor(rest.length / 2)];
  const outcome = {
    firstMilliseconds: first,
    firstProcessor: processor[0],
    milliseconds: middle,
    kilobytes: Buffer.byteLength(html) / 1024,
    formulas: html.match(/class="katex"/g)?.length ?? 0,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
