/**
 * Character references of HTML.
 *
 * @module
 */

/** U+00A0 to U+00FF, in order. */
const LATIN =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro " +
  "para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil " +
  "Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave " +
  "Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml " +
  "igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute " +
  "thorn yuml";

/** U+0391 to U+03C9, in order; a dash where there is none. */
const GREEK =
  "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon Phi Chi " +
  "Psi Omega - - - - - - - alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho " +
  "sigmaf sigma tau upsilon phi chi psi omega";

/** Names and the characters behind them, in turn. */
const OTHERS = "amp & lt < gt > quot \" apos ' lbrace { rbrace } lbrack [ rbrack ] lsqb [ rsqb ] lpar ( rpar ) num # " +
  "dollar $ percnt % ast * plus + comma , period . sol / colon : semi ; equals = quest ? commat @ bsol \\ lowbar _ " +
  "grave ` vert | excl ! hyphen ‐ ndash – mdash — horbar ― lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † " +
  "Dagger ‡ bull • hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € trade ™ larr ← uarr ↑ " +
  "rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ " +
  "minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ " +
  "equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ " +
  "rfloor ⌋ lang ⟨ rang ⟩ loz ◊ check ✓ cross ✗ star ☆ starf ★ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ " +
  "tilde ˜ inodot ı";

/** Spaces of several widths become one blank, marks without width vanish. */
const BLANKS: readonly (readonly [name: string, character: string])[] = [
  ...["ensp", "emsp", "thinsp", "hairsp", "numsp", "Tab", "NewLine"].map((name) => [name, " "] as const),
  ...["zwnj", "zwj", "lrm", "rlm", "ZeroWidthSpace", "NoBreak"].map((name) => [name, ""] as const),
];

const NAMED = new Map<string, string>([
  ...inOrder(LATIN, 0xa0),
  ...inOrder(GREEK, 0x391),
  ...inTurn(OTHERS),
  ...BLANKS,
]);

/** What the numbers 128 to 159 mean in pages: the characters of Windows-1252. */
const windows1252 = new TextDecoder("windows-1252");

/** Replaces the character references of a text. What is none, or is not known, stays as it is. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,8})|([A-Za-z]\w{1,31}));?/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    return characterOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function characterOf(code: number): string {
  if (code >= 0x80 && code < 0xa0) return windows1252.decode(new Uint8Array([code]));
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : "\ufffd";
}

function inOrder(names: string, first: number): [string, string][] {
  return names.split(" ").map((name, i) => [name, String.fromCodePoint(first + i)]);
}

function inTurn(list: string): [string, string][] {
  const words = list.split(" ");
  return Array.from({ length: words.length / 2 }, (_, i) => [words[2 * i]!, words[2 * i + 1]!]);
}
