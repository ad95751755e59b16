import assert from "node:assert/strict";
import { measurePage } from "../../../src/compressors/html/measure.ts";
import { writeData } from "../../../src/compressors/html/page_data.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";

const STATE = JSON.stringify({
  items: Array.from({ length: 100 }, (_, i) => `item ${i}`),
});
const script = (text: string) =>
  `<script type="application/json">${text}</script>`;

function write(html: string, part?: Parameters<typeof writeData>[2]) {
  const page = parseHtml(html);
  return writeData(page, measurePage(page), part);
}

Deno.test("writeData writes short data of a page that shows nothing", () => {
  assert.deepEqual(write(script(STATE)).lines, ["JSON:", STATE]);
});

Deno.test("writeData writes longer data only when something shortens it", () => {
  const html = script(JSON.stringify({ text: "x".repeat(5000) }));
  assert.deepEqual(write(html).lines, []);
  const { nodes, lines } = write(
    html,
    () => ({ type: "reformatted", text: "short" }),
  );
  assert.deepEqual([[...nodes], lines], [[1], ["JSON:", "short"]]);
});

Deno.test("writeData finds data in attributes", () => {
  const html = `<div data-state="${STATE.replaceAll('"', "&quot;")}"></div>`;
  assert.deepEqual(write(html).lines, ["attribute data-state:", STATE]);
});

Deno.test("writeData writes nothing for a page that speaks for itself", () => {
  assert.deepEqual(
    write(`<p>${"word ".repeat(400)}</p>${script(STATE)}`).lines,
    [],
  );
  assert.deepEqual(
    write(`<p>${"word ".repeat(200)}</p>${script(STATE)}`).lines,
    [],
  );
});
