import { expect, test } from "vitest";
import { parseBaseUrl } from "./base-url.js";

test.each([
  ["http://localhost:8000/v1", "http://localhost:8000/v1"],
  ["http://localhost:8000/v1/", "http://localhost:8000/v1"],
  ["http://localhost:8000", "http://localhost:8000/v1"],
  ["http://localhost:8000/", "http://localhost:8000/v1"],
  ["localhost:8000", "http://localhost:8000/v1"],
  ["127.0.0.1:30000/v1", "http://127.0.0.1:30000/v1"],
  ["api.example.com", "https://api.example.com/v1"],
  ["https://api.example.com/v1/chat/completions", "https://api.example.com/v1"],
  ["https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
  [
    "https://x.azure.com/openai/deployments/m?api-version=2024-10-21",
    "https://x.azure.com/openai/deployments/m?api-version=2024-10-21",
  ],
  [" https://h/v1 ", "https://h/v1"],
])("parseBaseUrl() reads %s", (text, expected) => {
  expect(parseBaseUrl(text).text).toBe(expected);
});

test.each([
  ["", /it is not a URL/],
  ["http://", /it is not a URL/],
  ["ftp://h/v1", /scheme is "ftp:", allowed are http and https/],
  ["https://me:hunter2@h/v1", /holds a user name or password/],
])("parseBaseUrl() refuses %s", (text, message) => {
  expect(() => parseBaseUrl(text)).toThrow(message);
  expect(() => parseBaseUrl(text)).not.toThrow(/hunter2/);
});
