/** People who install the library: from the checkout in Deno, from npm in Node, with TypeScript's strictest options. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { startProxyProcess } from "../e2e/proxy_process.ts";
import { realConversation } from "./conversation.ts";
import { nodeProject, PROJECTS, removeNodeProject } from "./node_project.ts";
import { lacks, run } from "./runs.ts";

const MODULE = new URL("../../mod.ts", import.meta.url);

Deno.test.afterAll(removeNodeProject);

interface Printed {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly transformsApplied: readonly string[];
}

function requireMuchSaved(printed: string): void {
  const { tokensBefore, tokensAfter, transformsApplied }: Printed = JSON.parse(
    printed,
  );
  assert(tokensBefore > 40_000, `${tokensBefore}`);
  assert(tokensAfter < 0.7 * tokensBefore, `${tokensAfter}`);
  assert(transformsApplied.length >= 3, `${transformsApplied}`);
}

Deno.test("a Deno project compresses with an import map and no permission", async () => {
  const folder = new URL(`file://${await Deno.makeTempDir()}/`);
  try {
    await Deno.copyFile(
      new URL("compress.mjs", PROJECTS),
      new URL("compress.mjs", folder),
    );
    await Deno.writeTextFile(
      new URL("conversation.json", folder),
      JSON.stringify(await realConversation()),
    );
    // The line of docs/library.md.
    await Deno.writeTextFile(
      new URL("deno.json", folder),
      JSON.stringify({ imports: { "@svc/svc": fileURLToPath(MODULE) } }),
    );
    const printed = await run({
      command: [
        Deno.execPath(),
        ...["run", "--no-prompt", "--no-lock", "--cached-only"],
        "compress.mjs",
      ],
      cwd: folder,
    });
    requireMuchSaved(printed);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a Node project compresses with the npm package", async () => {
  if (await lacks("node", "npm")) return;
  const cwd = await nodeProject();
  requireMuchSaved(await run({ command: ["node", "compress.mjs"], cwd }));
});

Deno.test("a Node project talks to a proxy and wraps a client", async () => {
  if (await lacks("node", "npm")) return;
  const cwd = await nodeProject();
  await using proxy = await startProxyProcess({});
  const printed = await run({
    command: ["node", "clients.mjs", proxy.url],
    cwd,
  });
  assert(JSON.parse(printed).tokensSaved > 10_000);
});

for (
  const [module, moduleResolution] of [
    ["node16", "node16"],
    ["esnext", "bundler"],
  ]
) {
  Deno.test(`a strict TypeScript project compiles with ${moduleResolution} resolution`, async () => {
    if (await lacks("node", "npm")) return;
    const cwd = await nodeProject();
    const compilerOptions = {
      ...{ module, moduleResolution, noEmit: true, types: [] },
      ...{ target: "es2022", lib: ["es2022", "dom"], strict: true },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      // The declarations are the same files: checked once they are checked.
      skipLibCheck: moduleResolution === "bundler",
    };
    const config = `tsconfig.${moduleResolution}.json`;
    await Deno.writeTextFile(
      new URL(config, cwd),
      JSON.stringify({ compilerOptions, files: ["strict.ts"] }),
    );
    const tsc = new URL("_tsc.js", import.meta.resolve("typescript"));
    await run({
      command: ["node", fileURLToPath(tsc), "-p", config],
      cwd,
    });
  });
}
