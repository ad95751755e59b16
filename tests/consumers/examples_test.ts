/**
 * The documentation of the library: every function and class shows how it is used, and what is shown works. Like
 * `deno test --doc`, but in one process for all: each example would load the library anew.
 */
import assert from "node:assert/strict";
import { stop, transform } from "esbuild";
import { nodeProject, removeNodeProject } from "./node_project.ts";
import { nodeTypesProject, typeErrors } from "./node_types.ts";
import { lacks, run } from "./runs.ts";

const ROOT = new URL("../../", import.meta.url);

/** Pages whose blocks of TypeScript are examples too; those of docs/library.md have a test of their own. */
const PAGES = ["README.md"];

const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;

/** Types of providers' packages take longer to check than everything else; the tests of `sdk/adapters/` do. */
const OTHER_PACKAGES = /from "(?!@svc\/svc"|node:)/;

/** What `deno doc --json` says of one export, as far as it is looked at. */
interface Documented {
  readonly name: string;
  readonly declarations: readonly {
    readonly kind: string;
    readonly jsDoc?: JsDoc;
  }[];
}

interface JsDoc {
  readonly tags?: readonly { readonly kind: string; readonly doc?: string }[];
}

interface Module {
  readonly module_doc: JsDoc;
  readonly symbols: readonly Documented[];
}

let documented: Promise<Module> | undefined;

/** The library and every export of it. */
function library(): Promise<Module> {
  documented ??= (async () => {
    const said = await run({
      command: [Deno.execPath(), "doc", "--json", "mod.ts"],
      cwd: ROOT,
    });
    return JSON.parse(said).nodes[new URL("mod.ts", ROOT).href];
  })();
  return documented;
}

function examplesIn(docs: readonly (JsDoc | undefined)[]): readonly string[] {
  return docs.flatMap((doc) => doc?.tags ?? [])
    .filter(({ kind }) => kind === "example")
    .map(({ doc }) => doc ?? "");
}

function examplesOf({ declarations }: Documented): readonly string[] {
  return examplesIn(declarations.map(({ jsDoc }) => jsDoc));
}

/** The code of every example, by a name of a file for it. */
async function programs(): Promise<ReadonlyMap<string, string>> {
  const { module_doc, symbols } = await library();
  const texts = new Map([["mod", examplesIn([module_doc]).join("\n")]]);
  for (const one of symbols) {
    texts.set(one.name, examplesOf(one).join("\n"));
  }
  for (const page of PAGES) {
    const text = await Deno.readTextFile(new URL(page, ROOT));
    texts.set(page.replaceAll(/\W/g, "_"), text);
  }
  const blocks = [...texts].flatMap(([name, text]) =>
    [...text.matchAll(BLOCK)].map(([, code], i) =>
      [`${name}_${i + 1}`, code!] as const
    )
  );
  return new Map(blocks);
}

let made: Promise<URL> | undefined;

/** A folder with a program for each example. */
function project(): Promise<URL> {
  made ??= (async () => {
    // Also an example without an import has names of its own.
    const texts = [...await programs()].map(([name, code]) =>
      [name, `${code}\nexport {};\n`] as const
    );
    return await nodeTypesProject(new Map(texts));
  })();
  return made;
}

Deno.test.afterAll(async () => {
  if (made) await Deno.remove(await made, { recursive: true });
  await removeNodeProject();
});

Deno.test("every function and class of the library has an example", async () => {
  const { symbols } = await library();
  const without = symbols
    .filter(({ declarations }) =>
      declarations.some(({ kind }) => kind === "function" || kind === "class")
    )
    .filter((one) => !examplesOf(one).some((text) => text.match(BLOCK)))
    .map(({ name }) => name);
  assert.deepEqual(without, []);
});

Deno.test("every example imports the library by its name", async () => {
  const others = [...await programs()].filter(([, code]) =>
    !code.includes(' from "@svc/svc";') || / from "\.{1,2}\//.test(code)
  );
  assert.deepEqual(others, []);
});

Deno.test("every example has the right types, with nothing that Node 20 lacks", async () => {
  const ours = [...await programs()]
    .filter(([, code]) => !OTHER_PACKAGES.test(code))
    .map(([name]) => name);
  assert(ours.length >= 35, `${ours.length} examples`);
  assert.equal(await typeErrors(await project(), ours), "");
});

Deno.test("a feature that Node 20 lacks is found", async () => {
  const code = 'console.log(Object.groupBy("ab", String), Deno.cwd());';
  const folder = await nodeTypesProject(new Map([["wrong", code]]));
  const said = await typeErrors(folder, ["wrong"]);
  await Deno.remove(folder, { recursive: true });
  assert.match(said, /'groupBy' does not exist/);
  assert.match(said, /'cwd' does not exist/);
});

Deno.test("every example works", async () => {
  const folder = await project();
  const names = [...(await programs()).keys()];
  const tests = names.map((name) =>
    `Deno.test(${
      JSON.stringify(name)
    }, async () => void await import("./${name}.ts"));\n`
  );
  await Deno.writeTextFile(new URL("all_test.ts", folder), tests.join(""));
  const said = await run({
    command: [
      ...[Deno.execPath(), "test", "-A", "--no-prompt"],
      ...["--no-check", "all_test.ts"],
    ] as const as readonly [string, ...string[]],
    cwd: folder,
  });
  assert.match(said, new RegExp(`^ok \\| ${names.length} passed`, "m"));
});

Deno.test("every example works in Node once its types are removed, with no syntax that Node 20 lacks", async () => {
  if (await lacks("node", "npm")) return;
  const cwd = await nodeProject();
  const all = await programs();
  for (const [name, code] of all) {
    assert.doesNotMatch(code, /\busing \w+ =/, name);
    const options = { loader: "ts", target: "esnext" } as const;
    const plain = await transform(`${code}\nexport {};\n`, options);
    await Deno.writeTextFile(new URL(`${name}.mjs`, cwd), plain.code);
  }
  await stop();
  const calls = [...all.keys()].map((name) =>
    `await import("./${name}.mjs");\nprocess.stdout.write("${name}\\n");\n`
  );
  await Deno.writeTextFile(new URL("all.mjs", cwd), calls.join(""));
  const said = await run({ command: ["node", "all.mjs"], cwd });
  const lines = new Set(said.split("\n"));
  assert.deepEqual([...all.keys()].filter((name) => !lines.has(name)), []);
});
