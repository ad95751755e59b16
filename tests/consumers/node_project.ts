/** A Node project in a temporary folder that has installed the npm package from its tarball; one for all tests. */
import CONFIG from "../../deno.json" with { type: "json" };
import { buildNpm } from "../../scripts/build_npm.ts";
import { realConversation } from "./conversation.ts";
import { run } from "./runs.ts";

/** Programs that are run in projects. */
export const PROJECTS = new URL("projects/", import.meta.url);

/** Packages that examples import besides the library. */
const CLIENTS = [
  "@ai-sdk/openai",
  "@anthropic-ai/sdk",
  "@google/genai",
  "ai",
  "openai",
] as const;

let made: Promise<URL> | undefined;

/** The folder of the project; built by the first call. */
export function nodeProject(): Promise<URL> {
  made ??= makeProject();
  return made;
}

/** Removes the project, if there is one. */
export async function removeNodeProject(): Promise<void> {
  const folder = await made;
  made = undefined;
  if (folder) await Deno.remove(folder, { recursive: true });
}

async function makeProject(): Promise<URL> {
  const folder = new URL(`file://${await Deno.makeTempDir()}/`);
  const dist = new URL("dist/", folder);
  await buildNpm(dist);
  const packed = await run({
    command: ["npm", "pack", "--json", "--pack-destination", folder.pathname],
    cwd: dist,
  });
  const [{ filename }] = JSON.parse(packed);
  await write(folder, "package.json", { private: true, type: "module" });
  await run({
    command: [
      ...["npm", "install", "--offline", "--no-audit", "--no-fund"],
      `./${filename}`,
    ] as const as readonly [string, ...string[]],
    cwd: folder,
  });
  await installClients(folder);
  for await (const { name } of Deno.readDir(PROJECTS)) {
    await Deno.copyFile(new URL(name, PROJECTS), new URL(name, folder));
  }
  await write(folder, "conversation.json", await realConversation());
  return folder;
}

/** Clients of providers, from the runtime's cache: nothing is downloaded. */
async function installClients(folder: URL): Promise<void> {
  const clients = new URL("clients/", folder);
  await Deno.mkdir(clients);
  const dependencies = Object.fromEntries(
    CLIENTS.map((name) => [name, CONFIG.imports[name].split("@").at(-1)]),
  );
  await write(clients, "package.json", { private: true, dependencies });
  await write(clients, "deno.json", { nodeModulesDir: "manual" });
  const lock = new URL("../../deno.lock", import.meta.url);
  await Deno.copyFile(lock, new URL("deno.lock", clients));
  await run({
    command: [Deno.execPath(), "install", "--cached-only", "--quiet"],
    cwd: clients,
  });
  for (const name of CLIENTS) {
    const place = new URL(`node_modules/${name}`, folder);
    await Deno.mkdir(new URL(".", place), { recursive: true });
    const from = new URL(`node_modules/${name}`, clients);
    await Deno.symlink(await Deno.realPath(from), place);
  }
}

async function write(folder: URL, name: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(new URL(name, folder), JSON.stringify(value));
}
