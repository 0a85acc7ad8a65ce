// internal
import { PolicyError } from "../core/index.js";
import { Circuit } from "./circuit.js";
import { Connections } from "./connections.js";
import { Gate } from "./gate.js";
import { createNotifier, type Notifier } from "./notifier.js";
import type { ChatClientOptions } from "./settings.js";
import { createTarget, type Target } from "./target.js";

/** One endpoint with what guards it. */
export interface Station {
  readonly target: Target;
  readonly gate: Gate;
  readonly circuit: Circuit;
  readonly connections: Connections;
  /** It has answered properly at least once. */
  hasAnswered: boolean;
}

/** All endpoints of a client. */
export interface Stations {
  readonly list: readonly Station[];
  readonly notifier: Notifier;
}

/** What entering a station needs to know about a call. */
export interface Entrant {
  readonly tokens: number;
  /** Stations that failed this call: the last choice. */
  readonly failed: ReadonlySet<Station> | undefined;
  /** Returns the signal that ends the call's waiting. */
  getWaitSignal(): AbortSignal;
  /** What went wrong last, for the message of an outage. */
  readonly lastMessage: string | undefined;
}

/** Returns the stations of a client's endpoints, keys looked up. `stop` ends their background waiting. */
export function createStations(options: ChatClientOptions, maxConcurrency: number, stop: AbortSignal): Stations {
  const { endpoints, environment, clock, circuit = {}, timeoutSeconds = 600, onEvent } = options;
  const notifier = createNotifier();
  const list = endpoints.map((endpoint): Station => {
    const target = createTarget(endpoint, environment);
    const { requestsPerMinute = options.requestsPerMinute, tokensPerMinute = options.tokensPerMinute } = endpoint;
    const baseUrl = target.baseUrl.text;
    return {
      target,
      gate: new Gate({ requestsPerMinute, tokensPerMinute, maxConcurrency }, clock, stop),
      circuit: new Circuit(circuit, clock, stop, {
        opened: (seconds, errorClass) => onEvent?.({ type: "circuit_open", baseUrl, errorClass, seconds }),
        closed: (outageSeconds) => onEvent?.({ type: "circuit_closed", baseUrl, outageSeconds }),
        changed: () => notifier.notify(),
      }),
      connections: new Connections(target.baseUrl.origin, timeoutSeconds),
      hasAnswered: false,
    };
  });
  return { list, notifier };
}

/** Returns the best station that would let a call in, or `undefined`: one that has not failed it, not paused, least busy. */
export function findStation(list: readonly Station[], failed: ReadonlySet<Station> | undefined): Station | undefined {
  let best: Station | undefined;
  let bestRank = Infinity;
  for (const station of list) {
    if (!station.circuit.isEnterable) continue;
    const rank = (failed?.has(station) === true ? 1e12 : 0) + (station.gate.isPaused ? 1e9 : 0) + station.gate.load;
    if (rank < bestRank) {
      best = station;
      bestRank = rank;
    }
  }
  return best;
}

/** Where a call was let in. Whoever gets `isProbe` decides the station's circuit. */
export interface Entry {
  readonly station: Station;
  readonly isProbe: boolean;
}

/** Returns the station that lets the call in at once, or `undefined` when it has to wait. */
export function tryEnterStation({ list }: Stations, { failed, tokens }: Entrant): Entry | undefined {
  const station = findStation(list, failed);
  if (station === undefined || !station.circuit.isClosed || !station.gate.tryEnter(tokens)) return undefined;
  return { station, isProbe: false };
}

/**
 * Waits until a station lets the call in, and returns it. Rejects with the wait signal's reason when the call is
 * given up.
 *
 * @throws {PolicyError} of class `outage` when no station has worked for longer than the patience limit.
 */
export async function enterStation({ list, notifier }: Stations, entrant: Entrant): Promise<Entry> {
  for (;;) {
    const station = findStation(list, entrant.failed);
    if (station === undefined) {
      if (list.every(({ circuit }) => circuit.isGivenUp)) throw createOutageError(list, entrant.lastMessage);
      await notifier.wait(entrant.getWaitSignal());
      continue;
    }
    const isProbe = station.circuit.enter();
    try {
      await station.gate.enter(entrant.tokens, entrant.getWaitSignal());
    } catch (error) {
      if (isProbe) station.circuit.cancelProbe();
      throw error;
    }
    if (isProbe || station.circuit.isClosed) return { station, isProbe };
    // The circuit opened while this call stood in line.
    station.gate.leaveUnused(entrant.tokens);
  }
}

function createOutageError(list: readonly Station[], lastMessage: string | undefined): PolicyError {
  const names = list.map(({ target }) => `"${target.baseUrl.text}"`).join(", ");
  const last = lastMessage === undefined ? "" : `; last error: ${lastMessage}`;
  return new PolicyError("outage", `No answer from ${names} for longer than the patience limit${last}`);
}
