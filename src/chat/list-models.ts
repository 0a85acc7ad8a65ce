// internal
import type { Agent } from "undici";
import { isJsonObject } from "../core/index.js";
import { badResponse, classifyStatus, isHtml, type Failure } from "./failure.js";
import { classifyNetworkError } from "./network-failure.js";
import type { Target } from "./target.js";

/** Asks a server which models it has. Returns their names, or the failure. */
export async function listModels(
  agent: Agent,
  { baseUrl, headers, redact }: Target,
): Promise<readonly string[] | Failure> {
  const from = baseUrl.text;
  try {
    const path = `${baseUrl.path}/models${baseUrl.search}`;
    const response = await agent.request({ origin: baseUrl.origin, path, method: "GET", headers });
    const text = await response.body.text();
    const contentType = String(response.headers["content-type"] ?? "");
    if (response.statusCode !== 200) {
      const failure = classifyStatus(response.statusCode, text, contentType, from);
      return { ...failure, message: redact(failure.message) };
    }
    if (isHtml(text, contentType)) return badResponse(`"${from}" answered with an HTML page instead of JSON`);
    const body: unknown = JSON.parse(text);
    const items: unknown = isJsonObject(body) ? (body["data"] ?? body["models"]) : body;
    if (!Array.isArray(items)) return badResponse(`"${from}" answered with no list of models`);
    return items.flatMap((item: unknown) => {
      const id = isJsonObject(item) ? (item["id"] ?? item["name"]) : item;
      return typeof id === "string" ? [id] : [];
    });
  } catch (error) {
    if (error instanceof SyntaxError) return badResponse(`"${from}" answered with text that is not JSON`);
    return classifyNetworkError(error, from, false);
  }
}
