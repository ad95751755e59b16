import assert from "node:assert/strict";
import {
  graphicText,
  mathText,
} from "../../../src/compressors/html/graphics.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";

const graphic = (html: string) => graphicText(parseHtml(html), 1);
const math = (html: string) => mathText(parseHtml(html), 1);

Deno.test("graphicText says what a picture shows and counts data in it", () => {
  assert.deepEqual(graphic(`<img alt="A valve" src=v.png>`), {
    text: "[image: A valve]",
    left: 0,
  });
  const source = `data:image/png;base64,${"A".repeat(500)}`;
  assert.deepEqual(graphic(`<img src="${source}">`), {
    text: "",
    left: source.length,
  });
});

Deno.test("graphicText gives title and words of a drawing", () => {
  const html =
    "<svg><title>Flow</title><path d='M0 0'/><text>12 l/s</text><text><tspan>zone 7</tspan></text></svg>";
  assert.deepEqual(graphic(html), {
    text: "[drawing: Flow: 12 l/s · zone 7]",
    left: html.length,
  });
  assert.equal(graphic("<svg><path d='M0 0'/></svg>").text, "");
});

Deno.test("graphicText counts the words of a drawing that are too many", () => {
  const texts = Array.from({ length: 400 }, (_, i) => `<text>label ${i}</text>`)
    .join("");
  const { text } = graphic(`<svg>${texts}</svg>`);
  assert.match(text, /^\[drawing: label 0 · .* · … 3\d\d more words\]$/);
});

Deno.test("graphicText gives the source of frames and players", () => {
  assert.equal(
    graphic(`<iframe title="Map" src="https://m.example/x"></iframe>`).text,
    "[iframe: Map](https://m.example/x)",
  );
  assert.equal(
    graphic(`<video><source src=a.mp4></video>`).text,
    "[video](a.mp4)",
  );
  assert.equal(graphic(`<iframe src="about:blank"></iframe>`).text, "");
});

Deno.test("mathText never runs an exponent or a denominator into its base", () => {
  assert.equal(math("<math><msup><mi>x</mi><mn>2</mn></msup></math>"), "x^2");
  assert.equal(math("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"), "1/2");
  assert.equal(
    math("<math><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup></math>"),
    "a_1^2",
  );
  assert.equal(
    math(
      `<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^{2}</annotation></semantics></math>`,
    ),
    "$x^{2}$",
  );
});
