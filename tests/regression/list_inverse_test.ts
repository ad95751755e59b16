/** Lists of paths whose folds did not give the list back. */
import assert from "node:assert/strict";
import { pathsKind } from "../../src/compressors/paths/kind.ts";

const STATUS = [
  "On branch main",
  "Changes not staged for commit:",
  '  (use "git add <file>..." to update what will be committed)',
  '  (use "git restore <file>..." to discard changes in working directory)',
  ...Array.from({ length: 6 }, (_, i) => `\tmodified:   src/app/page_${i}.ts`),
  "Untracked files:",
  "\tscratch/",
];

const LISTS: Readonly<Record<string, readonly string[]>> = {
  "a heading of git status without its hints": STATUS,
  "a directory beside a file that begins like it": [
    "/lib",
    "/lib/systemd",
    "/lib/systemd/system/nginx.service",
    ...Array.from({ length: 6 }, (_, i) => `/usr/share/vim/doc_${i}.yaml`),
  ],
  "a path above the files of git diff --stat": [
    "node_modules/zod/package.json",
    " tests/dashboard/section_cases.ts     | 261 +++++++++++----",
    " tests/dashboard/visit.ts             |   9 +-",
    " tests/ledger/activity_reader_test.ts |   8 +-",
  ],
};

for (const [name, lines] of Object.entries(LISTS)) {
  Deno.test(`pathsKind gives back ${name}`, () => {
    const text = lines.join("\n");
    const view = pathsKind.parse(text, {});
    assert.ok(view);
    const folded = pathsKind.fold?.(view, {
      query: "",
      mayElide: false,
      // A fold of a few lines gains too little to be used otherwise.
      countTokens: (each) => each.startsWith("… ") ? 0 : each.length,
    });
    assert.ok(folded);
    assert.equal(folded.restore(folded.text), text);
  });
}

Deno.test("pathsKind refuses a row of opening brackets in linear time", () => {
  assert.equal(pathsKind.parse("(".repeat(200_000), {}), undefined);
});
