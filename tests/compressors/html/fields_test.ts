import assert from "node:assert/strict";
import {
  FIELD_TAGS,
  fieldText,
  formText,
  nameOf,
} from "../../../src/compressors/html/fields.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";

const first = (html: string) => fieldText(parseHtml(html), 1);

Deno.test("fieldText gives type, name and state of an input", () => {
  assert.equal(
    first(
      `<input type=email name=mail value="a@b.c" placeholder=Mail required disabled>`,
    ),
    '[email mail: value="a@b.c", placeholder="Mail", required, disabled]',
  );
  assert.equal(first("<input id=x>"), "[text #x]");
  assert.equal(
    first("<input type=checkbox name=a checked>"),
    "[checkbox a: checked]",
  );
  assert.equal(
    first("<input type=hidden name=token value=k7>"),
    '[hidden token: value="k7"]',
  );
});

Deno.test("fieldText cuts a long value visibly", () => {
  assert.equal(
    first(`<input name=s value="${"x".repeat(1234)}">`),
    `[text s: value="${"x".repeat(60)}… (1,234 characters)"]`,
  );
});

Deno.test("fieldText gives the lines of a textarea", () => {
  assert.equal(
    first("<textarea name=n>a\nb</textarea>"),
    '[textarea n: value="a\\nb"]',
  );
});

Deno.test("fieldText gives options with values that differ from what is shown", () => {
  assert.equal(
    first(
      "<select name=c><option value=AT>Austria<option selected>Peru</select>",
    ),
    "[select c: AT=Austria | Peru (selected)]",
  );
});

Deno.test("fieldText counts the options of a long list and keeps the chosen one", () => {
  const options = Array.from(
    { length: 200 },
    (_, i) => `<option${i === 150 ? " selected" : ""}>o${i}`,
  );
  const text = first(`<select name=c>${options.join("")}</select>`);
  assert.ok(
    text.includes("o29 | o150 (selected) | … 170 more options to o199]"),
    text,
  );
  assert.ok(!text.includes("o31 "));
});

Deno.test("fieldText gives buttons by what is on them", () => {
  assert.equal(
    first("<button name=go value=1 disabled>Save <b>all</b></button>"),
    "[button go=1: Save all (disabled)]",
  );
  assert.equal(
    first("<button aria-label=Close><svg></svg></button>"),
    "[button: Close]",
  );
  assert.equal(first("<input type=submit value=Send>"), "[button: Send]");
  assert.equal(first("<button></button>"), "");
});

Deno.test("formText says where a form is sent", () => {
  const form = (html: string) => formText(parseHtml(html), 1);
  assert.equal(form("<form action=/login method=post>"), "[form POST /login]");
  assert.equal(form("<form action=/s>"), "[form GET /s]");
  assert.equal(form("<form>"), "");
});

Deno.test("nameOf falls back to the id and the label", () => {
  const name = (html: string) => nameOf(parseHtml(html), 1);
  assert.deepEqual(
    ["<input name=a id=b>", "<input id=b>", "<input aria-label=c>"].map(name),
    ["a", "#b", "c"],
  );
  assert.ok(FIELD_TAGS.has("select"));
});
