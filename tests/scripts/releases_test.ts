import assert from "node:assert/strict";
import CONFIG from "../../deno.json" with { type: "json" };
import {
  checkoutText,
  releaseFiles,
  releasesIn,
  releaseText,
} from "../../scripts/releases.ts";
import { textsBelow } from "../../scripts/walk.ts";

const ROOT = new URL("../../", import.meta.url);
const URL_OF_RELEASES = "https://code.example/team/svc/releases";

Deno.test("releasesIn reads an https URL, without a slash at its end", () => {
  const urlOf = (value: string) => releasesIn({ SVC_RELEASES_URL: value });
  assert.equal(urlOf(`${URL_OF_RELEASES}/`), URL_OF_RELEASES);
  assert.equal(urlOf(""), undefined);
  assert.equal(releasesIn({}), undefined);
  for (const bad of ["http://x.example", "x", "https://x.example/a b"]) {
    assert.throws(() => urlOf(bad), /Cannot use SVC_RELEASES_URL=.*https URL/);
  }
});

Deno.test("releaseText uncovers what a checkout does not show", () => {
  const page = "a\n<!-- release\nGet RELEASES_URL.\n-->\nb\n";
  assert.equal(checkoutText(page), "a\nb\n");
  assert.equal(
    releaseText(page, URL_OF_RELEASES),
    `a\nGet ${URL_OF_RELEASES}.\nb\n`,
  );
});

Deno.test("a release names its address in install.sh and in its pages, and leaves nothing to fill in", async () => {
  const naming: string[] = [];
  for (const path of await releaseFiles()) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    const filled = releaseText(text, URL_OF_RELEASES);
    assert.doesNotMatch(filled, /<!-- release|(?<!SVC_)RELEASES_URL/, path);
    if (filled.includes(URL_OF_RELEASES)) naming.push(path);
  }
  for (const path of ["docs/install.md", "scripts/install.sh"]) {
    assert(naming.includes(path), path);
  }
});

/** Programs that pages start from the npm registry, besides packages that the build names. */
const PROGRAMS = [
  ...["deno", "@anthropic-ai/claude-code", "@openai/codex", "opencode-ai"],
  ...["@google/gemini-cli", "@github/copilot", "cline", "@continuedev/cli"],
];

const INSTALL =
  /\b(?:npm (?:install|i|add|exec)|npx|pnpm (?:add|dlx)|yarn (?:add|dlx)|bunx?(?: add| install)?|deno (?:add|install)) +((?:-[\w.=-]+ +)*)([^\s`'"]+)/g;
const SPECIFIER = /\b(?:npm|jsr):\/?(@[\w-]+\/[\w.-]+|[\w.-]+)/g;
const ADDRESS = /https:\/\/[^\s`'")>]*\b(?:releases\b|svc\b)[^\s`'")>]*/g;

/** Packages and addresses in a text that this build does not know. */
function unknownIn(text: string): string[] {
  const known = new Set([
    ...PROGRAMS,
    ...Object.values(CONFIG.imports).map((value) =>
      [...value.matchAll(SPECIFIER)][0]![1]!
    ),
  ]);
  const nameOf = (word: string) => /^(@?[^@]+)/.exec(word)![1]!;
  const installed = [...text.matchAll(INSTALL)].map(([, , word]) => word!)
    .filter((word) => /^[@a-z]/.test(word));
  const named = [...text.matchAll(SPECIFIER)].map(([, name]) => name!);
  return [
    ...[...installed, ...named].filter((word) => !known.has(nameOf(word))),
    ...[...text.matchAll(ADDRESS)].map(([address]) => address),
  ];
}

Deno.test("unknownIn finds a package and an address that nobody can fetch", () => {
  const bad = [
    "npm install @svc/svc",
    "deno add jsr:@svc/svc",
    "npx --yes svc demo",
    "https://code.example/team/svc/releases/latest",
    "https://releases.example.com/svc",
  ];
  for (const text of bad) assert.notDeepEqual(unknownIn(text), [], text);
  const good = [
    "npx --yes deno@2.9.6 task npm",
    "npm install /path/to/svc/dist/npm",
    "npm install openai",
    "https://deno.com",
    'import { compress } from "@svc/svc";',
  ];
  for (const text of good) assert.deepEqual(unknownIn(text), [], text);
});

Deno.test("no page and no message names a package or an address that this build does not know", async () => {
  const texts = await textsBelow(new URL("src/", ROOT), ".ts");
  for (const path of await releaseFiles()) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    texts.set(path, checkoutText(text));
  }
  for await (const { name } of Deno.readDir(new URL("changes.d/", ROOT))) {
    const path = `changes.d/${name}`;
    texts.set(path, await Deno.readTextFile(new URL(path, ROOT)));
  }
  const found = [...texts].flatMap(([path, text]) =>
    unknownIn(text).map((name) => `${path}: ${name}`)
  );
  assert.deepEqual(found, []);
});
