import { ReviewerFault, type ReviewBackend, type ReviewerAnswer } from "../backend.js";
import type { ReviewIdentity } from "../identity.js";
import type { ReviewPass } from "../passes.js";

/** A recorded response. Records are used up in order within their pass; a repair takes the next one. */
export interface RecordedResponse {
  /** Absent: any pass. */
  readonly pass?: ReviewPass;
  /** The response as it was given, text or the object that was in it. */
  readonly response: unknown;
  readonly session_id?: string;
}

/** Where sessions get their ids and who is said to have spoken. */
export interface ReplayOptions {
  readonly reviewer?: ReviewIdentity;
  /** Returns a new session id. */
  readonly createSessionId: () => string;
}

/**
 * Returns the backend that plays recorded responses, for tests and demonstrations. Its rounds are marked as replayed and
 * never count as an independent review at release.
 */
export function createReplayBackend(records: readonly RecordedResponse[], options: ReplayOptions): ReviewBackend {
  const { reviewer = { id: "replay" }, createSessionId } = options;
  const used = new Set<number>();
  const take = (pass: ReviewPass): RecordedResponse => {
    const index = records.findIndex(
      (record, at) => !used.has(at) && (record.pass === undefined || record.pass === pass),
    );
    if (index === -1)
      throw new ReviewerFault("unavailable", "replay-exhausted", `No recorded response of pass "${pass}" is left`);
    used.add(index);
    return records[index];
  };
  const toAnswer = ({ response }: RecordedResponse): ReviewerAnswer => ({
    text: typeof response === "string" ? response : JSON.stringify(response),
  });
  return {
    kind: "replay",
    settings: { records: records.length },
    canRepair: true,
    openSession: () => {
      let pass: ReviewPass | undefined;
      let id = createSessionId();
      return Promise.resolve({
        get id() {
          return id;
        },
        getIdentity: () => reviewer,
        async review(packet) {
          pass = packet.pass;
          const record = take(pass);
          id = record.session_id ?? id;
          return toAnswer(record);
        },
        async repair() {
          if (pass === undefined) throw new RangeError("Cannot mend an answer before there is one");
          return toAnswer(take(pass));
        },
        close: () => Promise.resolve(),
      });
    },
  };
}
