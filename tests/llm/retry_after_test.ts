import { assertEquals } from "@std/assert";
import { readRetryAfter } from "../../src/llm/retry_after.ts";

const now = Date.parse("2026-11-30T12:00:00Z");
const read = (headers: Record<string, string>, body = "") => readRetryAfter(new Headers(headers), { body, now });
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toUTCString();

const FORMS: [headers: Record<string, string>, body: string, ms: number | undefined][] = [
  [{}, "", undefined],
  [{ "retry-after": "2" }, "", 2000],
  [{ "retry-after": "0" }, "", 0],
  [{ "retry-after": "1.5" }, "", 1500],
  [{ "retry-after": inSeconds(3) }, "", 3000],
  [{ "retry-after": inSeconds(-3) }, "", 0],
  [{ "retry-after": inSeconds(103), date: inSeconds(100) }, "", 3000],
  [{ "retry-after": "7200" }, "", 60_000],
  [{ "retry-after": inSeconds(7200) }, "", 60_000],
  [{ "retry-after": "soon" }, "", undefined],
  [{ "retry-after": "-5" }, "", undefined],
  [{ "retry-after": "" }, "", undefined],
  [{ "retry-after-ms": "250" }, "", 250],
  [{ "retry-after-ms": "250", "retry-after": "1" }, "", 250],
  [{ "retry-after-ms": "x", "retry-after": "1" }, "", 1000],
  [{ "x-ratelimit-reset-after": "1.25" }, "", 1250],
  [{ "x-ratelimit-reset": String(now / 1000 + 4) }, "", 4000],
  [{ "x-ratelimit-reset": String(now + 4000) }, "", 4000],
  [{ "x-ratelimit-reset": "4" }, "", 4000],
  [{ "x-ratelimit-reset": "2026-11-30T12:00:04Z" }, "", 4000],
  [{ "x-ratelimit-reset-requests": "1s" }, "", 1000],
  [{ "x-ratelimit-reset-requests": "1m30s" }, "", 60_000],
  [{ "x-ratelimit-reset-requests": "120ms" }, "", 120],
  [{}, '{"error":{"details":[{"@type":"RetryInfo","retryDelay":"34.07s"}]}}', 34_070],
  [{}, '{"error":{"details":[{"retryDelay": "900s"}]}}', 60_000],
  [{}, '{"error":{"message":"Rate limit reached: Limit 30000, Used 29000. Please try again in 1.2s. Visit x"}}', 1200],
  [{}, '{"error":{"message":"Please try again in 1m30.5s."}}', 60_000],
  [{}, '{"error":{"message":"Try again in 340ms"}}', 340],
  [{}, "Too many requests, retry after 5 seconds", 5000],
  [{}, "Try again in 5 seats, or in a minute", undefined],
  [{ "retry-after": "2" }, "try again in 9s", 2000],
];

for (const [headers, body, ms] of FORMS) {
  Deno.test(`readRetryAfter() reads ${ms} ms from ${JSON.stringify(headers)} ${body}`, () => {
    assertEquals(read(headers, body), ms);
  });
}
