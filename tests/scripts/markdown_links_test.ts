import assert from "node:assert/strict";
import { headingNames, relativeLinks } from "../../scripts/markdown_links.ts";
import { pages, ROOT } from "./pages.ts";

Deno.test("relativeLinks finds links and pictures, and none in code or to elsewhere", () => {
  const markdown = `[a](docs/a.md#two) ![p](p.svg) [x](https://x.y/z.md)
[self](#one) \`[no](no.md)\`

\`\`\`md
[no](no.md)
\`\`\`
[m](mailto:a@b.c)`;
  assert.deepEqual(relativeLinks(markdown), [
    { path: "docs/a.md", heading: "two" },
    { path: "p.svg", heading: undefined },
    { path: "", heading: "one" },
  ]);
});

Deno.test("headingNames gives names as addresses have them, a second one numbered", () => {
  const markdown =
    "# The `x` page!\n## Where, and how\n```sh\n# no\n```\n## Same\n## Same\n";
  assert.deepEqual(
    [...headingNames(markdown)],
    ["the-x-page", "where-and-how", "same", "same-1"],
  );
});

Deno.test("every relative link of README.md and docs/ leads to a file, and to a heading where it names one", async () => {
  const wrong: string[] = [];
  for (const page of await pages()) {
    const markdown = await Deno.readTextFile(page);
    for (const { path, heading } of relativeLinks(markdown)) {
      const target = new URL(path, page);
      const text = await textOf(target);
      const isThere = text !== undefined &&
        (heading === undefined || headingNames(text).has(heading));
      const place = page.pathname.slice(ROOT.pathname.length);
      if (!isThere) wrong.push(`${place}: ${path}#${heading ?? ""}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("README.md leads to every page of docs/", async () => {
  const links = relativeLinks(
    await Deno.readTextFile(new URL("README.md", ROOT)),
  );
  const linked = new Set(links.map(({ path }) => new URL(path, ROOT).href));
  const missing = (await pages()).filter(({ href }) =>
    !href.endsWith("/README.md") && !linked.has(href)
  );
  assert.deepEqual(missing.map(({ pathname }) => pathname), []);
});

/** The text of a file; empty for a directory, `undefined` for nothing. */
async function textOf(url: URL): Promise<string | undefined> {
  try {
    const { isFile } = await Deno.stat(url);
    return isFile ? await Deno.readTextFile(url) : "";
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
}
