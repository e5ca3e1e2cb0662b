/**
 * Takes secrets out of whatever is written or shown: the ones that are known, in the forms in which they travel, and
 * what looks like a well-known kind of key.
 *
 * @module
 */

/** What stands in a secret's place. */
export const REDACTED = "[redacted]";

/** Shorter values, `test` say, are no secrets and would turn ordinary text into holes. */
const MIN_SECRET_LENGTH = 8;

/** Keys that can be told by their look, and what stands behind a word for a key. Each is bounded: no text is slow. */
const KEY_PATTERNS = [
  "(?<![\\w-])sk-(?=[a-zA-Z_-]{0,200}\\d)[\\w-]{20,512}",
  "(?<!\\w)(?:sk|rk|pk)_(?:live|test)_\\w{16,256}",
  "gh[oprsu]_\\w{30,255}",
  "github_pat_\\w{22,255}",
  "glpat-[\\w-]{20,255}",
  "(?<!\\w)(?:AKIA|ASIA)[0-9A-Z]{16}(?!\\w)",
  "AIza[\\w-]{35}",
  "xox[abeoprs]-[\\w-]{10,255}",
  "npm_\\w{36}",
  "pypi-[\\w-]{50,512}",
  "(?<!\\w)hf_\\w{30,255}",
  "(?<!\\w)gsk_\\w{40,255}",
  "(?<!\\w)xai-\\w{40,255}",
  "(?<![\\w-])eyJ[\\w-]{10,4096}\\.[\\w-]{10,4096}\\.[\\w-]{10,4096}", // JSON web token
  "(?<=://[^\\s/:@]{0,64}:)[^\\s/@]{3,256}(?=@)", // password in an address
  "(?<=(?:[Aa]uthorization|[Aa]pi-[Kk]ey|API-KEY)[\"']?\\s{0,3}[:=]\\s{0,3}[\"']?(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)\\s{1,3})?)" +
  "(?!(?:[Bb]earer|[Bb]asic|[Tt]oken)\\s)[^\\s\"',;]{12,4096}",
];

/** What the patterns above begin with; those in the first list only where a word begins. */
const WORD_MARKS = ["sk-", "sk_", "rk_", "pk_", "AKIA", "ASIA", "hf_", "gsk_", "xai-", "eyJ"];
const MARKS = ["gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "AIza", "xox", "npm_", "pypi-", "://"]
  .concat(["-----", "authorization", "Authorization", "api-key", "api-Key", "Api-key", "Api-Key", "API-KEY"]);

/** A mark, or at the end of a text the part of one that has come. */
const KEY_MARK = new RegExp(
  [
    ...WORD_MARKS.flatMap((mark) => beginnings(mark, `(?<!\\w)${mark[0]}$`)),
    ...MARKS.flatMap((mark) => beginnings(mark, `${mark[0]}$`)),
  ].join("|"),
);

/** The mark anywhere, or at the end of a text the part of it that has come. */
function beginnings(mark: string, firstLetter: string): string[] {
  return [mark, firstLetter, ...Array.from({ length: mark.length - 2 }, (_, i) => `${mark.slice(0, i + 2)}$`)];
}

const PRIVATE_KEY =
  "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\\s\\w+/=:,\\\\]{0,12000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?";

/** The end of a text behind which a key may follow: a header's name, the first line of a private key. */
const KEY_AHEAD = new RegExp(
  "(?:authorization|api-key)[\"']?(?:\\s{0,3}[:=]\\s{0,3}[\"']?(?:(?:bearer|basic|token)\\s{0,3})?)?\\s{0,3}$" +
    "|-----BEGIN [A-Z ]{0,60}(?:PRIVATE KEY-----[\\s\\w+/=:,\\\\]{0,12000}(?:-----END [A-Z ]{0,60})?)?$",
  "i",
);

/** How much of a text is kept back at the most, in UTF-16 units: more than any key takes. */
const MAX_HELD = 16_384;
/** The most that a pattern looks back. */
const CONTEXT = 128;
/** Longer words are kept back whole. */
const MAX_WORD = 512;

/** How secrets are found: `secret` is slow, so that only texts in which `mark` occurs are searched with it. */
interface Patterns {
  secret: RegExp;
  mark: RegExp;
}

/**
 * Redacts texts. Make one when the keys are known and let everything pass through it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const redactor = new Redactor(["correct-horse-battery"]);
 * assertEquals(redactor.redact("key=correct-horse-battery"), "key=[redacted]");
 * assertEquals(redactor.redact("key=Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5"), "key=[redacted]");
 * ```
 */
export class Redactor {
  #secrets: readonly string[] = [];
  #patterns!: Patterns;
  #known: readonly string[] = [];

  /** @param secrets Values such as keys; those of fewer than 8 characters are left out. */
  constructor(secrets: readonly string[]) {
    this.add(secrets);
  }

  /** Takes in more secrets. Streams that were begun do not know them. */
  add(secrets: readonly string[]): void {
    this.#secrets = [...this.#secrets, ...secrets];
    const known = this.#secrets.map((secret) => secret.trim()).filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    // a longer form first: a shorter one may be a part of it
    this.#known = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    const literally = this.#known.map(RegExp.escape);
    this.#patterns = {
      secret: new RegExp([...literally, PRIVATE_KEY, ...KEY_PATTERNS].join("|"), "g"),
      mark: new RegExp([...literally, ...WORD_MARKS, ...MARKS].join("|")),
    };
  }

  /** The text without its secrets. */
  redact(text: string): string {
    const { secret, mark } = this.#patterns;
    return mark.test(text) ? text.replace(secret, REDACTED) : text;
  }

  /** Whether the text holds a secret that is known, in any form: for addresses that are about to be fetched. */
  holdsKnown(text: string): boolean {
    return this.#known.some((form) => text.includes(form));
  }

  /** For text that comes in pieces: a secret in two halves is found too. */
  stream(): RedactionStream {
    return new RedactionStream(this.#patterns, this.#known);
  }
}

/** Redacts a text that comes in pieces: keeps back only what can be the beginning of a key, so that words come at once. */
export class RedactionStream {
  readonly #patterns: Patterns;
  readonly #known: readonly string[];
  readonly #longest: number;
  #held = "";
  /** The end of what was let go: a key that follows looks at what stands before it. */
  #before = "";
  /** Where the last word of it begins. */
  #word = 0;

  /** Use {@linkcode Redactor.stream}. */
  constructor(patterns: Patterns, known: readonly string[]) {
    this.#patterns = patterns;
    this.#known = known;
    this.#longest = Math.max(0, ...known.map((form) => form.length));
  }

  /** Takes a piece and returns what can be shown by now, which may be nothing. */
  push(piece: string): string {
    const lastBlank = afterLastBlank(piece);
    if (lastBlank > 0) this.#word = this.#held.length + lastBlank;
    this.#held += piece;
    if (this.#held.length > MAX_HELD) return this.#release(this.#forcedCut());
    const word = this.#word;
    const isShort = this.#held.length - word <= MAX_WORD; // each piece looks at the whole word again
    if (!isShort && lastBlank === 0) return "";
    const ahead = beforeKey(this.#held, word);
    const cut = isShort ? word + this.#beginning(this.#held.slice(word)) : word;
    return this.#release(ahead < word ? ahead : beforeKey(this.#held, cut));
  }

  /** Whether a single letter is kept back: a person who waits for more should see it soon, by {@linkcode end}. */
  get holdsLetter(): boolean {
    return this.#held.length === 1;
  }

  /** Where in a word without blanks a key may begin; its length if nowhere. */
  #beginning(word: string): number {
    const mark = word.search(KEY_MARK);
    let begin = mark < 0 ? word.length : mark;
    for (const form of this.#known) {
      // a form that is there as a whole begins where it stands; of one that is cut only its beginning is at the end
      const whole = word.indexOf(form);
      if (whole >= 0) begin = Math.min(begin, whole);
      for (let length = Math.min(form.length - 1, word.length); length > word.length - begin; length--) {
        if (word.endsWith(form.slice(0, length))) begin = word.length - length;
      }
    }
    return begin;
  }

  /** Returns what was kept back. Call it at the end. */
  end(): string {
    return this.#release(this.#held.length);
  }

  #release(cut: number): string {
    const text = this.#before + this.#held.slice(0, cut);
    let at = this.#before.length;
    let ready = "";
    for (const { 0: { length }, index } of this.#secretsIn(text)) {
      if (index + length <= at) continue;
      ready += text.slice(at, Math.max(at, index)) + REDACTED;
      at = index + length;
    }
    ready += text.slice(at);
    this.#before = text.slice(-CONTEXT);
    this.#held = this.#held.slice(cut);
    this.#word = Math.max(0, this.#word - cut);
    return ready;
  }

  #secretsIn(text: string): Iterable<RegExpExecArray> {
    const { secret, mark } = this.#patterns;
    return mark.test(text) ? text.matchAll(secret) : [];
  }

  /** As near to the end as a key that is not whole yet allows, and never within a whole one. */
  #forcedCut(): number {
    let cut = this.#held.length - Math.max(this.#longest, 1024);
    for (const { 0: { length }, index } of this.#secretsIn(this.#held)) {
      if (index < cut && index + length > cut) cut = index;
    }
    const kept = beforeKey(this.#held, cut);
    return kept > 0 ? kept : this.#held.length;
  }
}

/** No key holds a blank. */
function afterLastBlank(text: string): number {
  let end = text.length;
  while (end > 0 && !/\s/.test(text[end - 1]!)) end--;
  return end;
}

/** That place, or an earlier one where what announces a key begins. */
function beforeKey(text: string, cut: number): number {
  return KEY_AHEAD.exec(text.slice(0, cut))?.index ?? cut;
}

/** The forms in which a secret travels: as it is, in JSON, in an address, in base64 also as a part of something. */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed());
  const lowerHex = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [secret, JSON.stringify(secret).slice(1, -1), encoded, lowerHex, ...base64Forms(secret)];
}

/** Base64 depends on where the secret begins among the bytes around it; what does not touch them is always the same. */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const middles = [0, 1, 2].map((offset) => {
    const shifted = new Uint8Array([...new Uint8Array(offset), ...bytes]).toBase64();
    return shifted.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const forms = [bytes.toBase64(), ...middles];
  return [...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))];
}
