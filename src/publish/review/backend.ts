import type { ReviewIdentity } from "./identity.js";
import type { ReviewPacket } from "./packet.js";

/** The kinds of backend a reviewer sits behind. */
export type ReviewBackendKind = "command" | "http" | "human" | "replay" | "none";

/** One answer of a reviewer, not yet read. */
export interface ReviewerAnswer {
  readonly text: string;
  /** Tokens, where the backend tells. */
  readonly usage?: { readonly input?: number; readonly output?: number };
  /** The model that answered, where the server tells. */
  readonly model?: string;
}

/** A fresh conversation with a reviewer: one packet, and at most one request to mend the form of the answer. */
export interface ReviewSession {
  /** Unique over the project. */
  readonly id: string;
  /** Identity behind this session; may be known only once the answer is in, as with a form. */
  getIdentity(): ReviewIdentity;
  /** Returns the answer to a packet. @throws {ReviewerFault} */
  review(packet: ReviewPacket, packetText: string): Promise<ReviewerAnswer>;
  /** Returns a new answer, after the validator's messages about the first and nothing else. @throws {ReviewerFault} */
  repair(messages: readonly string[]): Promise<ReviewerAnswer>;
  close(): Promise<void>;
}

/** Where reviewers come from. */
export interface ReviewBackend {
  readonly kind: ReviewBackendKind;
  /** Settings that go into the trace; no secrets. */
  readonly settings: { readonly [name: string]: unknown };
  /** Returns a session that shares nothing with any other. @throws {ReviewerFault} of kind `unavailable` */
  openSession(): Promise<ReviewSession>;
  /** Whether the repair request makes sense: a person's form is mended by the person. */
  readonly canRepair: boolean;
}

/**
 * Why a reviewer gave no answer. `unavailable`: there is none, or it could not be started, so nobody has reviewed.
 * `failed`: it was started and broke, hung or said too much. `waiting`: a form lies ready for a person.
 */
export class ReviewerFault extends Error {
  override readonly name = "ReviewerFault";
  readonly kind: "unavailable" | "failed" | "waiting";
  readonly reasonCode: string;
  constructor(kind: "unavailable" | "failed" | "waiting", reasonCode: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.reasonCode = reasonCode;
  }
}

/** Returns the message that asks for the form to be mended. It carries what the validator says and nothing else. */
export function renderRepairRequest(messages: readonly string[]): string {
  return JSON.stringify({ schema: "review-repair/1", validator_messages: messages });
}
