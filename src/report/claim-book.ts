// internal
import {
  tagNumber,
  type Claim,
  type ClaimDisplay,
  type ClaimKind,
  type Estimate,
  type Interval,
  type JsonValue,
} from "../core/index.js";

/** Where a claim's value stands in report.json, and what it is. */
export interface ClaimSource {
  readonly id: string;
  readonly kind: ClaimKind;
  /** JSON Pointer into report.json. */
  readonly select: string;
  readonly display: ClaimDisplay;
  readonly n?: number;
}

/** Collects the claims of a report. A value that is missing or not a number makes no claim. */
export interface ClaimBook {
  /** Adds a claim that states the selected value itself. */
  addValue(source: ClaimSource, value: number | undefined): void;
  /** Adds a claim that states `b - a` of two selected values. */
  addDifference(source: Omit<ClaimSource, "select">, selectA: string, selectB: string, a: number, b: number): void;
  /** Adds a claim that states how many items the selected list has. */
  addCount(id: string, select: string, length: number): void;
  /** Adds a claim for both ends of an interval. */
  addInterval(source: ClaimSource, interval: Interval | undefined): void;
  /** Adds `id`, and `id.band` and `id.interval` where the estimate has them. */
  addEstimate(source: ClaimSource, estimate: Estimate): void;
  readonly claims: readonly Claim[];
}

const artefact = "report.json";

function toJsonNumber(value: number): JsonValue {
  const tagged = tagNumber(value);
  return typeof tagged === "number" ? tagged : { ...tagged };
}

/** Returns an empty book. Adding an id twice throws a `RangeError`. */
export function createClaimBook(): ClaimBook {
  const claims: Claim[] = [];
  const ids = new Set<string>();

  function add(claim: Claim): void {
    if (ids.has(claim.id)) throw new RangeError(`Cannot add a claim as its id is taken: current id is "${claim.id}"`);
    ids.add(claim.id);
    claims.push(claim);
  }
  function addValue(source: ClaimSource, value: number | undefined): void {
    if (value === undefined || Number.isNaN(value)) return;
    const { id, kind, select, display, n } = source;
    const inputs = [{ artefact, select }];
    add({ id, kind, expr: "value", inputs, value: toJsonNumber(value), display, ...(n === undefined ? {} : { n }) });
  }
  function addDifference(
    source: Omit<ClaimSource, "select">,
    selectA: string,
    selectB: string,
    a: number,
    b: number,
  ): void {
    if (!Number.isFinite(b - a)) return;
    const inputs = [
      { artefact, select: selectA },
      { artefact, select: selectB },
    ];
    add({ ...source, expr: "b - a", inputs, value: b - a });
  }
  function addCount(id: string, select: string, length: number): void {
    add({
      id,
      kind: "count",
      expr: "count(value)",
      inputs: [{ artefact, select }],
      value: length,
      display: { decimals: 0 },
    });
  }
  function addInterval(source: ClaimSource, interval: Interval | undefined): void {
    if (interval === undefined || Number.isNaN(interval.lower) || Number.isNaN(interval.upper)) return;
    const { select, ...rest } = source;
    const inputs = [
      { artefact, select: `${select}/lower` },
      { artefact, select: `${select}/upper` },
    ];
    const value = [toJsonNumber(interval.lower), toJsonNumber(interval.upper)];
    add({ ...rest, kind: "interval", expr: "[a, b]", inputs, value });
  }
  function addEstimate(source: ClaimSource, estimate: Estimate): void {
    const { id, select } = source;
    const n = source.n ?? estimate.taskCount;
    addValue({ ...source, select: `${select}/value`, n }, estimate.value);
    addInterval({ ...source, id: `${id}.band`, select: `${select}/band`, n }, estimate.band);
    addInterval({ ...source, id: `${id}.interval`, select: `${select}/interval`, n }, estimate.interval);
  }
  return { addValue, addDifference, addCount, addInterval, addEstimate, claims };
}
