// A whole agent in one file. This one halves the range of own-env.js; put a call of your own agent in its place, then
//   npx turnwise doctor --policy ./own-agent.js --env ./own-env.js
//   npx turnwise eval budget --env ./own-env.js --policy ./own-agent.js --disclosure countdown
// What it may use: request.observation and request.turns (all it was shown and did), request.env.tools, request.notice
// (what it is told about its budget), request.random (seeded: the same episode, the same choices), request.signal.

/** Reads what the earlier turns told. @param {import("turnwise/core").PolicyRequest} request */
function readRange({ turns, observation }) {
  const start = /(\d+)\.\.(\d+)/.exec((turns[0]?.observation ?? observation).text);
  let [low, high] = [Number(start?.[1] ?? 0), Number(start?.[2] ?? 1000)];
  for (const [i, { action }] of turns.entries()) {
    const guess = Number(action.toolCalls?.[0]?.arguments?.["number"]);
    const { text } = turns[i + 1]?.observation ?? observation;
    if (text.startsWith("Higher")) low = Math.max(low, guess + 1);
    if (text.startsWith("Lower")) high = Math.min(high, guess - 1);
  }
  return { low, high };
}

/** @type {import("turnwise/core").Policy} */
export const policy = {
  id: "halving-agent",
  // Everything that changes its behaviour, without secrets: stored with the run, compared when a run is continued.
  config: { rule: "middle" },
  async act(request) {
    const { low, high } = readRange(request);
    const guess = Math.floor((low + high) / 2);
    // Only with the rule answer_only: the turns are used up, a last answer in words is asked for.
    if (request.closingPrompt !== undefined) return { action: { text: `The number may be ${guess}.` } };
    // An agent that gives up returns { action: { text: "...", quit: true } }. Add usage: { promptTokens,
    // completionTokens, cost } when it is known. To say that no answer could be had, throw a PolicyError.
    return { action: { text: `I guess ${guess}.`, toolCalls: [{ name: "guess", arguments: { number: guess } }] } };
  },
};
