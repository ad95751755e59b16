import assert from "node:assert/strict";
import { ansiSvg } from "../../scripts/ansi_svg.ts";

Deno.test("ansiSvg draws a line per line, colours as classes, and the same text each time", () => {
  const lines = ["\x1b[1m$ svc\x1b[0m", "", 'a \x1b[32mheld\x1b[0m <b> & "c"'];
  const svg = ansiSvg({ lines, title: "A <title>" });
  assert.equal(svg, ansiSvg({ lines, title: "A <title>" }));
  assert.match(svg, /<title>A &lt;title&gt;<\/title>/);
  const texts = [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, t]) =>
    t
  );
  assert.deepEqual(texts, [
    '<tspan class="strong">$ svc</tspan>',
    'a <tspan class="good">held</tspan> &lt;b&gt; &amp; &quot;c&quot;',
  ]);
  assert.match(svg, /prefers-color-scheme: dark/);
});

Deno.test("ansiSvg is as wide as its longest line, and each line as its characters", () => {
  const widthOf = (length: number) => {
    const svg = ansiSvg({ lines: ["x", "x".repeat(length)], title: "" });
    const [, width] = /width="(\d+)"/.exec(svg)!;
    const lengths = [...svg.matchAll(/textLength="([\d.]+)"/g)].map(([, n]) =>
      n
    );
    return [Number(width), ...lengths.map(Number)];
  };
  const [ten, hundred] = [widthOf(10), widthOf(100)];
  assert.equal(ten[1]! * 10, ten[2]);
  assert.equal(ten[2]! * 10, hundred[2]);
  assert.equal(hundred[0]! - ten[0]!, hundred[2]! - ten[2]!);
});

Deno.test("ansiSvg refuses an escape code that it cannot draw", () => {
  assert.throws(
    () => ansiSvg({ lines: ["\x1b[44mx"], title: "" }),
    /escape code 44/,
  );
});
