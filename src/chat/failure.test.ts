import { expect, test } from "vitest";
import { classifyErrorBody, classifyStatus, describeErrorBody, isContextOverflow } from "./failure.js";

// The words and codes with which servers say that a prompt does not fit.
test.each([
  ["OpenAI", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."],
  ["OpenAI code", '{"error":{"code":"context_length_exceeded"}}'],
  ["vLLM", "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"],
  ["vLLM engine", "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
  ["vLLM no room", "max_tokens must be at least 1, got -512."],
  ["SGLang", "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
  ["SGLang total", "Requested token count exceeds the model's maximum context length of 8192 tokens."],
  ["llama.cpp", "the request exceeds the available context size, try increasing it"],
  ["llama.cpp type", '{"type":"exceed_context_size_error"}'],
  ["llama-cpp-python", "Requested tokens (2100) exceed context window of 2048"],
  ["TGI", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"],
  ["Anthropic", "prompt is too long: 210000 tokens > 200000 maximum"],
  ["Anthropic sum", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"],
  ["Gemini", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
  ["Mistral", "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"],
  ["Groq", "Please reduce the length of the messages or completion."],
  ["OpenRouter", "This endpoint's maximum context length is 128000 tokens."],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
  ["Bedrock", "Input is too long for requested model."],
  ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length."],
])("isContextOverflow() knows the words of %s", (_server, text) => {
  expect(isContextOverflow(text)).toBe(true);
});

test.each([
  "Invalid value for 'temperature': must be at most 2",
  "The model `gpt-9` does not exist",
  "Unknown field: context",
  "max_tokens is too large: 50000. This model supports at most 4096 completion tokens",
  "Rate limit reached: too many requests",
])("isContextOverflow() is not misled by %j", (text) => {
  expect(isContextOverflow(text)).toBe(false);
});

test.each([
  [400, "bad_request", false],
  [401, "authentication", false],
  [402, "authentication", false],
  [403, "authentication", false],
  [404, "not_found", false],
  [405, "not_found", false],
  [408, "timeout", true],
  [409, "server_error", true],
  [413, "bad_request", false],
  [422, "bad_request", false],
  [425, "server_error", true],
  [429, "rate_limit", true],
  [500, "server_error", true],
  [503, "server_error", true],
  [529, "server_error", true],
  [302, "bad_response", false],
] as const)("classifyStatus() calls %i %s", (status, errorClass, isRetryable) => {
  expect(classifyStatus(status, "", "", "http://h/v1")).toMatchObject({ errorClass, isRetryable });
});

test("classifyStatus() does not retry an exhausted account", () => {
  const text = '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}';
  expect(classifyStatus(429, text, "", "http://h/v1")).toMatchObject({ errorClass: "rate_limit", isRetryable: false });
});

test("classifyStatus() takes a full context from any refusal, but not from a rate limit", () => {
  const text = "maximum context length is 10";
  expect(classifyStatus(422, text, "", "h").errorClass).toBe("context_overflow");
  expect(classifyStatus(500, text, "", "h").errorClass).toBe("context_overflow");
  expect(classifyStatus(429, text, "", "h").errorClass).toBe("rate_limit");
});

test.each([
  [{ message: "upstream", code: 502 }, "server_error"],
  [{ message: "slow down", code: 429 }, "rate_limit"],
  [{ message: "slow down", code: "rate_limit_exceeded" }, "rate_limit"],
  [{ message: "bad", status_code: 400 }, "bad_request"],
  [{ message: "maximum context length is 5", code: null }, "context_overflow"],
  [{ message: "Engine died", type: "server_error" }, "server_error"],
  [{ message: "no", type: "invalid_request_error" }, "bad_request"],
])("classifyErrorBody() calls %j %s", (error, errorClass) => {
  expect(classifyErrorBody(error, "http://h/v1").errorClass).toBe(errorClass);
});

test.each([
  ['{"error":{"message":"No","type":"t","code":"c"}}', "No [t, c]"],
  ['{"error":"No"}', "No"],
  ['{"object":"error","message":"No","code":400}', "No [400]"],
  ['{"detail":[{"loc":["body"],"msg":"field required"}]}', '[{"loc":["body"],"msg":"field required"}]'],
  [
    '{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"boom"}}}',
    "Provider returned error (boom) [502]",
  ],
  ["plain\n  text", "plain text"],
])("describeErrorBody() reads %s", (text, expected) => {
  expect(describeErrorBody(text)).toBe(expected);
});

test("describeErrorBody() cuts long texts", () => {
  expect(describeErrorBody("x".repeat(5000))).toHaveLength(401);
});
