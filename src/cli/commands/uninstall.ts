/** `svc uninstall`: remove what svc put on this machine. @module */
import type { Define } from "./options.ts";
import type { CliIo } from "../io.ts";
import { uninstallAll } from "../agents/install.ts";
import { AGENTS } from "../agents/registry.ts";
import { unwrapAll } from "./unwrap.ts";
import { CliFailure, EXIT_FAILED, EXIT_USAGE } from "../failure.ts";
import { removeService } from "../install/acts.ts";
import { sizeText } from "../words.ts";
import { fitLines, lineWidth } from "../terminal.ts";
import {
  type Findings,
  type PlacedItem,
  removed,
  removedEmpty,
  type StayingItem,
} from "../uninstall/disk.ts";
import {
  failureText,
  type Inventory,
  listText,
  routedText,
  stayingText,
  takeInventory,
  type UninstallMachine,
} from "../uninstall/inventory.ts";
import { resolve } from "node:path";
import { startedFile } from "../../build_info.ts";
import { thisMachine } from "../doctor/machine.ts";
import type { ProgramForm } from "../uninstall/program_items.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc uninstall --dry-run      list what svc put on this machine
  svc uninstall                list it, ask, remove it
  svc uninstall --keep-data    leave originals, ledger, savings and settings
`;

/** Ends the help page. */
export const NOTES = `
It lists and removes: the entries of svc mcp install in the agents' files; the
services of svc install; what svc wrote into its workspace (SVC_WORKSPACE_DIR,
default ~/.svc); completion scripts at the places that svc completions --help
names; the program, if it is one file, and what it unpacked. Files that svc
did not write stay, and links are not followed. Stop the proxy first.
Exit codes: 0 removed, listed, or nothing found; 1 something could not be
removed, the answer was no, or a proxy is running; 2 no terminal to ask on and
no --yes.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  command
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "list only, remove nothing")
    .option("--keep-data", "leave originals, ledger, savings and settings")
    .action(async ({ yes = false, dryRun = false, keepData = false }) => {
      done(
        await runUninstall({ yes, dryRun, keepData }, io, thisWorld()),
      );
    });
};

/** What to remove, and how to ask. */
export interface UninstallRun {
  /** Nobody is asked. */
  readonly yes: boolean;
  /** List only. */
  readonly dryRun: boolean;
  /** Leave what cannot be made again. */
  readonly keepData: boolean;
}

/** The user at the terminal, beside the machine. */
export interface UninstallWorld extends UninstallMachine {
  /** Whether somebody can answer on standard input. */
  readonly canAsk: boolean;
}

/**
 * Lists on stdout, asks on stderr.
 *
 * @returns Exit code: 0 removed, listed, or nothing found; 1 something could not be removed, the answer was no, or a
 * proxy runs; 2 nobody can be asked.
 * @throws {CliFailure} If a proxy runs, or the record of registrations cannot be read: nothing was removed.
 */
export async function runUninstall(
  run: UninstallRun,
  io: CliIo,
  world: UninstallWorld,
): Promise<number> {
  const inventory = await takeInventory(io, world);
  const { items, staying } = wanted(inventory.findings, run.keepData);
  const list = listText(inventory, items);
  print(io, list || "svc put nothing on this machine that can be removed.\n");
  print(io, paragraph(stayingText(staying)));
  if (list === "" || run.dryRun) {
    print(io, paragraph(routedText(inventory)));
    const { inUse } = inventory;
    if (list !== "" && inUse) io.stderr(`\nBefore that: ${inUse}.\n`);
    return 0;
  }
  refuseInUse(inventory);
  if (!run.yes) {
    if (!world.canAsk) {
      io.stderr(
        "\nAdd --yes to remove it: nobody can be asked here.\nNothing was removed.\n",
      );
      return EXIT_USAGE;
    }
    if (!await isAgreed(io, "\nRemove it? [y/N] ")) {
      io.stderr("Nothing was removed.\n");
      return EXIT_FAILED;
    }
    // The answer may have taken a while.
    refuseInUse(await takeInventory(io, world));
  }
  for (const service of inventory.services) {
    if (await removeService(io, service) !== 0) return EXIT_FAILED;
  }
  // What a service had open is closed now, or is another proxy's.
  const now = inventory.services.length === 0
    ? inventory
    : await takeInventory(io, world);
  refuseInUse(now, "Nothing else");
  return await removeAll(now, wanted(now.findings, run.keepData), io);
}

function refuseInUse(
  { inUse }: Pick<Inventory, "inUse">,
  what = "Nothing",
): void {
  if (inUse === undefined) return;
  throw new CliFailure(
    `Cannot uninstall while ${inUse}, then try again. ${what} was removed`,
  );
}

/** What is removed, and what stays. */
type Wanted = Pick<Findings, "items" | "staying">;

function wanted({ items, staying }: Wanted, keepData: boolean): Wanted {
  if (!keepData) return { items, staying };
  const kept = items.filter(({ isData }) => isData)
    .map(({ what, shown }) => ({ path: shown, why: `${what}, --keep-data` }));
  return {
    items: items.filter(({ isData }) => !isData),
    staying: [...staying, ...kept],
  };
}

/** Asks on stderr; everything but a yes on standard input is a no. */
export async function isAgreed(
  io: Pick<CliIo, "stderr" | "stdinLines">,
  question: string,
): Promise<boolean> {
  io.stderr(question);
  for await (const line of io.stdinLines()) {
    return /^\s*y(es)?\s*$/i.test(line);
  }
  return false;
}

/** Agents first: without the program their entries would lead nowhere, and the record in the workspace undoes them. */
async function removeAll(
  inventory: Inventory,
  { items, staying }: Wanted,
  io: CliIo,
): Promise<number> {
  const agents = Object.values(AGENTS).filter(({ id }) =>
    inventory.installs.some(({ agent }) => agent === id)
  );
  print(io, "\n");
  const wrapped = inventory.wrapped.map(({ agent }) => agent);
  const exitCode = await uninstallAll(io, { agents, dryRun: false }) ||
    await unwrapAll(io, { agents: wrapped, dryRun: false });
  if (exitCode !== 0) {
    io.stderr(
      "Nothing else was removed: the rest can undo this once it works.\n",
    );
    return exitCode;
  }
  const failed = await removeItems(items, io);
  for (const directory of inventory.findings.directories.toReversed()) {
    await removedEmpty(directory);
  }
  print(io, paragraph(stayingText([...staying, ...failed])));
  print(io, paragraph(routedText(inventory)));
  return failed.length === 0 ? 0 : EXIT_FAILED;
}

/** Removes one after the other and says so; what cannot be removed keeps nothing else from it. */
async function removeItems(
  items: readonly PlacedItem[],
  io: CliIo,
): Promise<readonly StayingItem[]> {
  const failed: StayingItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const before = failed.length;
    for (const path of item.paths) {
      const code = await removed(path, item.isTree ?? false);
      if (code !== undefined) failed.push({ path, why: failureText(code) });
    }
    if (failed.length > before) continue;
    bytes += item.bytes;
    print(io, `Removed ${item.shown}\n`);
  }
  print(io, `${sizeText(bytes)} are free again.\n`);
  return failed;
}

/** A text with an empty line before it, if there is one. */
function paragraph(text: string): string {
  return text === "" ? "" : `\n${text}`;
}

function print(io: CliIo, text: string): void {
  if (text === "") return;
  // Paths stay whole, however long: they are to be looked at before they go.
  io.stdout(new TextEncoder().encode(fitLines(text, lineWidth(io))));
}

/** The real machine, program and user. */
export function thisWorld(): UninstallWorld {
  const machine = thisMachine();
  return {
    machine,
    userId: machine.userId,
    canAsk: Deno.stdin.isTerminal(),
    form: formOf({
      file: startedFile(),
      executable: Deno.build.standalone ? Deno.execPath() : undefined,
      directory: import.meta.dirname,
    }),
  };
}

/** What the runtime and the build say. */
interface ProgramSigns {
  /** The file that unpacked itself; `undefined` when none did. */
  readonly file: string | undefined;
  /** The executable, if it is this program; `undefined` when it is a runtime that loads it. */
  readonly executable: string | undefined;
  /** Directory of this module; `undefined` when it was not loaded from one. */
  readonly directory: string | undefined;
}

/** Tells the forms of the program apart. */
export function formOf(
  { file, executable, directory }: ProgramSigns,
): ProgramForm {
  if (file !== undefined) return { type: "self_extracting", file };
  if (executable !== undefined) return { type: "executable", file: executable };
  const root = directory && resolve(directory, "../../..");
  return { type: "source", directory: root };
}
