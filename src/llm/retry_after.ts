/**
 * How long a service asks to wait before the next try, in all the forms that services use.
 *
 * @module
 */

/** The longest wait that a service can ask for. */
export const MAX_RETRY_AFTER_MS = 60_000;

const IN_WORDS = /\b(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|s|m|h))+\b|\d+(?:\.\d+)? ?sec(?:ond)?s?)/i;

/**
 * Reads `retry-after-ms`, `retry-after` (seconds or a date), the `x-ratelimit-reset` headers, Google's `retryDelay` in the
 * body and the words `try again in 1.5s` there, in this order.
 *
 * @param now Milliseconds since 1970; a date counts from the service's own clock where it sends one.
 * @returns Milliseconds from 0 to {@linkcode MAX_RETRY_AFTER_MS}, or `undefined` if nothing is said.
 */
export function readRetryAfter(headers: Headers, { body, now }: { body: string; now: number }): number | undefined {
  const serverNow = Date.parse(headers.get("date") ?? "") || now;
  const forms = [
    numberOf(headers.get("retry-after-ms")),
    secondsOrDate(headers.get("retry-after"), serverNow),
    secondsOrDate(headers.get("x-ratelimit-reset-after"), serverNow),
    secondsOrDate(headers.get("x-ratelimit-reset"), serverNow),
    durationOf(headers.get("x-ratelimit-reset-requests")),
    durationOf(/"retryDelay"\s*:\s*"([^"]{1,20})"/.exec(body)?.[1] ?? null),
    durationOf(IN_WORDS.exec(body)?.[1]?.replace(/ ?sec(ond)?s?$/, "s") ?? null),
  ];
  const asked = forms.find((ms) => ms !== undefined && ms >= 0);
  return asked === undefined ? undefined : Math.min(Math.ceil(asked), MAX_RETRY_AFTER_MS);
}

function numberOf(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** Seconds from now, seconds or milliseconds since 1970, a duration as `1m30s`, or a date. */
function secondsOrDate(value: string | null, now: number): number | undefined {
  const number = numberOf(value);
  if (number === undefined) return durationOf(value) ?? untilDate(value, now);
  if (number > 1e11) return Math.max(0, number - now);
  if (number > 1e8) return Math.max(0, number * 1000 - now);
  return number * 1000;
}

function untilDate(value: string | null, now: number): number | undefined {
  if (value === null || !/\d:\d\d/.test(value)) return undefined; // `Date.parse` takes any number for a year
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function durationOf(value: string | null): number | undefined {
  if (value === null || !/^\s*(\d+(\.\d+)?(ms|s|m|h))+\s*$/.test(value)) return undefined;
  return [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
    .reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ""] ?? 0), 0);
}
