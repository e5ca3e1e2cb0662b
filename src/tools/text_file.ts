/**
 * Bytes of a file as the text that they are, and back. A change to the text leaves every other byte as it was.
 *
 * @module
 */

/** How a text file is written down. `windows-1252` stands for any 8-bit encoding: it gives each byte one character. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** What a text file has besides its text. */
export interface TextFormat {
  readonly encoding: Encoding;
  /** Whether a byte order mark comes before the text. */
  readonly bom: boolean;
}

/** A text file. */
export interface TextFile extends TextFormat {
  /** Without the byte order mark; line ends are as they are in the file. */
  readonly text: string;
  /** Whether the text stands for exactly these bytes. If not, writing it back would lose some. */
  readonly lossless: boolean;
}

/** Git looks this far for a NUL too. */
const SNIFFED_BYTES = 8000;

/**
 * Reads bytes as text.
 *
 * @returns `undefined` if the bytes are not text.
 */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const marked = markedEncoding(bytes);
  if (marked) return decodeAs(marked, bytes.subarray(marked === "utf-8" ? 3 : 2), true);
  const head = bytes.subarray(0, SNIFFED_BYTES);
  if (head.includes(0)) {
    const encoding = unmarkedUtf16(head);
    const file = encoding && decodeAs(encoding, bytes, false);
    return file?.lossless ? file : undefined;
  }
  const file = decodeAs("utf-8", bytes, false);
  if (file.lossless) return file;
  if (controlShare(head) > 0.05) return undefined;
  return isDamagedUtf8(bytes, file.text) ? file : decodeAs("windows-1252", bytes, false);
}

/**
 * Writes text down in a format.
 *
 * @throws {RangeError} If the encoding has no such character; the message names it.
 */
export function encodeText(text: string, { encoding, bom }: TextFormat): Uint8Array<ArrayBuffer> {
  switch (encoding) {
    case "utf-8":
      return encodeUtf8(bom ? "\uFEFF" + text : text);
    case "utf-16le":
    case "utf-16be":
      return encodeUtf16(bom ? "\uFEFF" + text : text, encoding === "utf-16le");
    case "windows-1252":
      return encodeWindows1252(text);
    default:
      return encoding satisfies never;
  }
}

/** The format in words, or an empty string for plain UTF-8. */
export function describeFormat({ encoding, bom }: TextFormat): string {
  switch (encoding) {
    case "utf-8":
      return bom ? "UTF-8 with BOM" : "";
    case "utf-16le":
    case "utf-16be":
      return `${encoding.toUpperCase()}${bom ? "" : " without BOM"}`;
    case "windows-1252":
      return "not UTF-8, read as Windows-1252";
    default:
      return encoding satisfies never;
  }
}

function markedEncoding([a, b, c]: Uint8Array): Encoding | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return undefined;
}

/** Text in a Latin script has a NUL in nearly every UTF-16 unit, and always on the same side. */
function unmarkedUtf16(head: Uint8Array): Encoding | undefined {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < head.length; i++) {
    if (head[i] === 0) i % 2 === 0 ? even++ : odd++;
  }
  if (Math.max(even, odd) < head.length * 0.3) return undefined;
  if (even === 0) return "utf-16le";
  return odd === 0 ? "utf-16be" : undefined;
}

function decodeAs(encoding: Encoding, bytes: Uint8Array, bom: boolean): TextFile {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  return { text, encoding, bom, lossless: !text.includes("\uFFFD") || isValid(encoding, bytes) };
}

/** Asked only where it matters: a strict decoder is several times slower. */
function isValid(encoding: Encoding, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function controlShare(head: Uint8Array): number {
  return count(head, (byte) => byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) / head.length;
}

/** In another encoding nearly every byte above ASCII is an error; in damaged UTF-8 most of them are not. */
function isDamagedUtf8(bytes: Uint8Array, text: string): boolean {
  return (text.split("\uFFFD").length - 1) * 2 < count(bytes, (byte) => byte >= 0x80);
}

function count(bytes: Uint8Array, matches: (byte: number) => boolean): number {
  let found = 0;
  for (let i = 0; i < bytes.length; i++) if (matches(bytes[i]!)) found++;
  return found;
}

function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  const { read } = new TextEncoder().encodeInto(text, bytes); // for ASCII, ten times faster than encode()
  return read === text.length ? bytes : new TextEncoder().encode(text);
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
}

function encodeWindows1252(text: string): Uint8Array<ArrayBuffer> {
  const table = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const byteOf = new Map(Array.from(table, (character, byte) => [character, byte]));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = byteOf.get(text.charAt(i));
    if (byte === undefined) throw new RangeError(`Windows-1252 has no "${String.fromCodePoint(text.codePointAt(i)!)}"`);
    bytes[i] = byte;
  }
  return bytes;
}
