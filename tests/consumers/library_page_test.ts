/** The examples of docs/library.md, each run as a reader would run it: in Node from the npm package, and in Deno. */
import assert from "node:assert/strict";
import { startProxyProcess } from "../e2e/proxy_process.ts";
import { nodeProject, removeNodeProject } from "./node_project.ts";
import { lacks, run } from "./runs.ts";

const PAGE = new URL("../../docs/library.md", import.meta.url);

/** Address that an example and its permissions name; the test's proxy has another port. */
const PROXY = "127.0.0.1:8787";

/** First line of an example that needs permissions. */
const RUN = /^\/\/ deno run (.*) example\.mjs$/m;

interface Example {
  /** Heading that it is below. */
  readonly name: string;
  readonly code: string;
  /** Permissions that its first line names. */
  readonly flags: readonly string[];
  /** What its comments say that it prints. */
  readonly printed: readonly string[];
}

function examplesIn(page: string): Example[] {
  return page.split(/^## /m).slice(1).flatMap((section) => {
    const [heading] = section.split("\n");
    const blocks = [...section.matchAll(/^```js\n([^]*?)^```$/gm)];
    return blocks.map(([, code], i) => ({
      name: `${heading} ${i + 1}`,
      code: code!,
      flags: RUN.exec(code!)?.[1]?.split(" ") ?? [],
      printed: [...code!.matchAll(/; \/\/ (.+)$/gm)].map(([, text]) => text!),
    }));
  });
}

const EXAMPLES = examplesIn(await Deno.readTextFile(PAGE));

Deno.test.afterAll(removeNodeProject);

/** Runs an example in the project, and requires that it prints what it says. */
async function play(
  { name, code, printed }: Example,
  command: (file: string) => readonly [string, ...string[]],
  proxy: string,
): Promise<void> {
  const cwd = await nodeProject();
  const file = `${name.replaceAll(/\W/g, "_")}.mjs`;
  await Deno.writeTextFile(
    new URL(file, cwd),
    code.replaceAll(PROXY, proxy),
  );
  // Node 20 has no store in a file, and says so.
  const isQuiet = command(file)[0] !== "node";
  const said = await run({ command: command(file), cwd, isQuiet });
  assert.deepEqual(said.trimEnd().split("\n"), printed, name);
}

Deno.test("docs/library.md has examples that print something, in plain JavaScript that Node 20 knows", () => {
  assert(EXAMPLES.length >= 10, `${EXAMPLES.length} examples`);
  for (const { name, code, printed } of EXAMPLES) {
    assert(printed.length > 0, name);
    assert.doesNotMatch(code, /\b(?:await )?using \w+ =/, name);
  }
});

Deno.test("every example of docs/library.md runs in Node and, with the permissions that it names, in Deno", async (t) => {
  if (await lacks("node", "npm")) return;
  await using process = await startProxyProcess({});
  const proxy = new URL(process.url).host;
  for (const example of EXAMPLES) {
    const flags = example.flags.map((flag) => flag.replace(PROXY, proxy));
    await t.step(
      `${example.name} in Node`,
      () => play(example, (file) => ["node", file], proxy),
    );
    await t.step(`${example.name} in Deno`, () =>
      play(
        example,
        (file) => [Deno.execPath(), "run", "--no-prompt", ...flags, file],
        proxy,
      ));
  }
});
