import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { errorMessage } from "../../../core/index.js";
import { ReviewerFault, type ReviewBackend, type ReviewSession } from "../backend.js";
import { humanFamily, type ReviewIdentity } from "../identity.js";
import { hashPacket, type ReviewPacket } from "../packet.js";
import type { ReviewPass } from "../passes.js";

/** Where forms lie. */
export interface HumanBackendOptions {
  /** Returns the path of the form of a pass: written when absent, read when filled. */
  readonly getFormPath: (pass: ReviewPass) => string;
  readonly createSessionId: () => string;
}

const formSchema = z.looseObject({
  schema: z.literal("review-form/1"),
  session_id: z.string().min(1),
  packet_sha256: z.string(),
  reviewer: z.string().nullish(),
  done: z.boolean(),
  coverage: z.array(z.looseObject({ item: z.string(), status: z.string().nullish(), method: z.string().nullish() })),
  findings: z.array(z.looseObject({})).nullish(),
  limits: z.array(z.string()).nullish(),
});

const formHead = `Review form. Fill in reviewer (your name or handle), a status for each item, and what you found; then set
done: true and run the same command again.
status: checked, skipped or cannot. method: derived, probed, executed, looked_up or read.
For each item that is not checked, say why in limits. A finding looks like this:
  - category: formula.sign
    severity: major            # blocker, major, minor or nit
    location: { block: "eq:1", quote: { prefix: words before, exact: the wrong words, suffix: words after } }
    says: what the text says
    problem: why that is wrong
    evidence: { kind: derivation, detail: how to see it }   # derivation, execution, citation, artefact or internal
    proposed: what it should say
    other_occurrences: []`;

/** Returns an unfilled form for a packet, as YAML with its instructions on top. */
export function renderReviewForm(packet: ReviewPacket, sessionId: string): string {
  const head = `${formHead}\n\n${packet.task.text}`
    .split("\n")
    .map((line) => `# ${line}`.trimEnd())
    .join("\n");
  const form = {
    schema: "review-form/1",
    pass: packet.pass,
    session_id: sessionId,
    packet_sha256: hashPacket(packet),
    reviewer: null,
    done: false,
    coverage: packet.items.map(({ id, line_start, label }) => ({
      item: id,
      ...(line_start === undefined ? {} : { line: line_start }),
      ...(label === undefined ? {} : { label }),
      status: null,
      method: null,
    })),
    findings: [],
    limits: [],
  };
  return `${head}\n\n${stringify(form, { lineWidth: 0 })}`;
}

/** Returns the text of the response that a filled form means. */
function toResponseText({ coverage, findings, limits }: z.infer<typeof formSchema>, pass: ReviewPass): string {
  return JSON.stringify({
    schema: "review-response/1",
    pass,
    coverage: coverage
      .filter(({ status }) => typeof status === "string")
      .map(({ item, status, method }) => ({ item, status, ...(typeof method === "string" ? { method } : {}) })),
    findings: findings ?? [],
    limits: limits ?? [],
  });
}

async function readForm(path: string): Promise<z.infer<typeof formSchema> | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined; // No form yet: it is written.
  }
  try {
    return formSchema.parse(parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : errorMessage(error);
    throw new ReviewerFault("failed", "form-unreadable", `The form "${path}" cannot be read: ${why}`, error);
  }
}

/**
 * Returns the backend of a person: the first call writes a form for each pass and waits; once the form says
 * `done: true`, the next call reads it. A form belongs to one packet, so an edit of the document asks for a new one,
 * and the old form is left where it is under its own hash.
 */
export function createHumanBackend({ getFormPath, createSessionId }: HumanBackendOptions): ReviewBackend {
  return {
    kind: "human",
    settings: {},
    canRepair: false,
    openSession(): Promise<ReviewSession> {
      let id = createSessionId();
      let identity: ReviewIdentity = { id: "person", family: humanFamily };
      return Promise.resolve({
        get id() {
          return id;
        },
        getIdentity: () => identity,
        async review(packet) {
          const path = getFormPath(packet.pass);
          const form = await readForm(path);
          const isForThis = form?.packet_sha256 === hashPacket(packet);
          if (form === undefined || (!isForThis && !form.done)) {
            await mkdir(dirname(path), { recursive: true });
            await writeFile(path, renderReviewForm(packet, id));
            throw new ReviewerFault("waiting", "form-waiting", `A form waits for a person: "${path}"`);
          }
          if (!isForThis)
            throw new ReviewerFault(
              "failed",
              "form-outdated",
              `The form "${path}" was filled for another text: move it away to get a new one`,
            );
          if (!form.done) throw new ReviewerFault("waiting", "form-waiting", `The form "${path}" is not done yet`);
          if (typeof form.reviewer !== "string" || form.reviewer.trim() === "")
            throw new ReviewerFault(
              "failed",
              "form-unsigned",
              `The form "${path}" does not say who filled it in: set reviewer`,
            );
          id = form.session_id;
          identity = { id: form.reviewer.trim(), family: humanFamily };
          return { text: toResponseText(form, packet.pass) };
        },
        repair: () => Promise.reject(new RangeError("Cannot ask a form to mend itself")),
        close: () => Promise.resolve(),
      });
    },
  };
}
