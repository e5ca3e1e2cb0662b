import { assert, assertEquals } from "@std/assert";
import { htmlToText } from "../../src/tools/html_text.ts";

const signal = new AbortController().signal;
const convert = async (html: string) => (await htmlToText(html, "https://a.example/dir/page", signal)).text;

const cases: [name: string, html: string, text: string][] = [
  ["joins blanks", "<p>one\n  two\t<b>three</b> ,four</p>", "one two three ,four"],
  ["breaks at br and at blocks", "a<br>b<div>c</div>d<p>e<p>f", "a\nb\nc\nd\n\ne\n\nf"],
  ["marks headings", "<h1>A</h1>x<h3>B <i>b</i></h3>y", "# A\n\nx\n\n### B b\n\ny"],
  ["leaves out empty headings and items", "<h2></h2><ul><li></li><li>a</li></ul>b", "- a\n\nb"],
  [
    "resolves links",
    "<a href='/x?y=1&amp;z=2'>X</a>, <a href=other>O</a>",
    "[X](https://a.example/x?y=1&z=2), [O](https://a.example/dir/other)",
  ],
  [
    "resolves links against the page's own base",
    "<base href='https://b.example/c/'><a href=d>D</a>",
    "[D](https://b.example/c/d)",
  ],
  ["keeps the blanks around a link", "see<a href=/x> this </a>now", "see [this](https://a.example/x) now"],
  [
    "gives a link that is its own text once",
    "<a href='https://b.example/'>https://b.example/</a>",
    "https://b.example/",
  ],
  ["leaves out addresses that lead nowhere", "<a href='#top'>a</a> <a href='javascript:x()'>b</a> <a>c</a>", "a b c"],
  [
    "makes one line of a link around blocks",
    "<a href=/x><h3>Card</h3><p>text</p></a>",
    "[Card text](https://a.example/x)",
  ],
  [
    "ends a link at the next one",
    "<a href=/x>one <a href=/y>two</a>",
    "[one](https://a.example/x) [two](https://a.example/y)",
  ],
  ["shows lists", "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"],
  ["numbers lists", "<ol start=3><li>a</li><li><p>b</p></li></ol>", "3. a\n4. b"],
  ["marks code", "use <code>a &lt; b</code>.", "use `a < b`."],
  [
    "keeps code as it is",
    `x<pre class="highlight language-ts"><code>\n  <span>if</span> (a)\n\n    b();\n</code></pre>y`,
    "x\n\n```ts\n  if (a)\n\n    b();\n```\n\ny",
  ],
  ["fences code that holds a fence", "<pre>```</pre>", "~~~~\n```\n~~~~"],
  [
    "shows tables",
    "<table><tr><th>A<th>B<tr><td>1<td>x|y<tr><td><p>2</p><p>3</p></td></table>",
    "| A | B |\n| --- | --- |\n| 1 | x\\|y |\n2\n\n3",
  ],
  [
    "reads a table that is there for the looks from cell to cell",
    "<table><tr><td><table><tr><td>a<td>b</table><p>c</p><p>d</p><td>side</table>",
    "| a | b |\n| --- | --- |\n\nc\n\nd\n\nside",
  ],
  ["keeps the text of a cell without a row", "x<td>a</td>b", "x\na\nb"],
  ["marks quotations", "<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n> \n> b\n\nc"],
  ["names pictures", "a<img src=x alt='A cat'>b<img src=y>", "a [image: A cat] b"],
  ["draws a rule", "a<hr>b", "a\n\n---\n\nb"],
  [
    "leaves out scripts, styles and drawings",
    "a<script>if (b<c) '</p>'</script><style>p{}</style><svg><text>d</text></svg>e",
    "ae",
  ],
  ["leaves out what is hidden", "a<div hidden>b<div>c</div></div><span style='display: none'>d</span>e", "ae"],
  ["leaves out comments and declarations", "<!doctype html>a<!-- <p>b --><!-->c<?xml x?>d", "acd"],
  [
    "decodes characters",
    "&eacute;&#233;&#xE9;&mdash;&amp;lt;&nbsp;&copy&#150;&omega;&rarr;&#0;&bogus; &",
    "ééé—&lt; ©–ω→\ufffd&bogus; &",
  ],
  ["takes a lone bracket as text", "a < b <3 <", "a < b <3 <"],
  ["reads quoted attributes with brackets in them", `<a title="a>b" href='/x'>y</a>`, "[y](https://a.example/x)"],
  ["is not confused by end tags without a beginning", "a</div></a></td>b</p>c", "a\nb\n\nc"],
];

for (const [name, html, text] of cases) {
  Deno.test(`htmlToText() ${name}`, async () => assertEquals(await convert(html), text));
}

Deno.test("htmlToText() reads on in what was never closed", async () => {
  const text = await convert("<ul><li><a href=/x>a<table><tr><td><b>b<pre>c");
  for (const word of ["a", "b", "c"]) assert(text.includes(word), text);
});

Deno.test("htmlToText() gives the title apart", async () => {
  const page = await htmlToText("<head><title> A &amp;\n B </title></head>text", "https://a.example/", signal);
  assertEquals(page, { title: "A & B", text: "text", isCut: false });
});

const hostile: [name: string, unit: string][] = [
  ["tags", "<div>"],
  ["open links", '<a href="x">y'],
  ["open lists", "<ul><li>"],
  ["open quotations", "<blockquote>x\n"],
  ["open code", "<pre>x"],
  ["lone brackets", "<"],
  ["open quotes", '<a b="'],
  ["attributes", "<a " + "b ".repeat(200)],
  ["blanks in tags", "<p" + " ".repeat(500)],
  ["open comments", "<!-- "],
  ["open scripts", "<script>"],
  ["end tags", "</div></a></td>"],
  ["ampersands", "&amp;&"],
];
for (const [name, unit] of hostile) {
  Deno.test(`htmlToText() takes linear time for ${name}`, async () => {
    const time = async (chars: number) => {
      const html = unit.repeat(chars / unit.length);
      const start = performance.now();
      await convert(html);
      return performance.now() - start;
    };
    const isLinear = async () => await time(100_000) < 40 * Math.max(await time(10_000), 2);
    await time(10_000);
    // a busy machine may stop the first for a while
    assert(
      await isLinear() || await isLinear() || await isLinear(),
      "ten times the text took over forty times as long",
    );
  });
}
