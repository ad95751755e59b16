import assert from "node:assert/strict";
import { findMain } from "../../../src/compressors/html/main_text.ts";
import { measurePage } from "../../../src/compressors/html/measure.ts";
import { attributeOf } from "../../../src/compressors/html/page.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";

const TEXT = "Words of the main text, quite a few of them. ".repeat(5);

/** Tag and id of the main element. */
function mainOf(html: string): string {
  const page = parseHtml(html);
  const main = findMain(page, measurePage(page));
  return main === 0
    ? ""
    : `${page.tags[main]}#${attributeOf(page, main, "id") ?? ""}`;
}

Deno.test("findMain takes the marked element with most text", () => {
  assert.equal(
    mainOf(`<body><main id=a>${TEXT}</main><div>${TEXT}</div>`),
    "main#a",
  );
  assert.equal(mainOf(`<body><div role=main id=b>${TEXT}</div>`), "div#b");
});

Deno.test("findMain does not believe a marked element with little text", () => {
  assert.equal(mainOf(`<body><main>Loading</main><div>${TEXT}</div>`), "");
});

Deno.test("findMain takes the only article, or what holds all of them", () => {
  assert.equal(
    mainOf(`<body><p>x</p><article id=c>${TEXT}</article>`),
    "article#c",
  );
  assert.equal(
    mainOf(
      `<body><p>x</p><div id=d><article>${TEXT}</article><article>${TEXT}</article></div>`,
    ),
    "div#d",
  );
  assert.equal(
    mainOf(`<body><article>${TEXT}</article><article>${TEXT}</article>`),
    "",
  );
});

Deno.test("findMain takes the innermost element named as content that has nearly all text", () => {
  assert.equal(
    mainOf(
      `<body class=content><div id=content><div class=post-body id=e>${TEXT}</div>x</div>`,
    ),
    "div#e",
  );
  assert.equal(mainOf(`<body><div class=x>${TEXT}</div>`), "");
});
