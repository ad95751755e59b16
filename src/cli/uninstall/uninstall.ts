/** `svc uninstall`: lists what svc put on this machine, asks, and removes it. @module */
import { uninstallAll } from "../agents/uninstall.ts";
import { AGENTS } from "../agents/registry.ts";
import { unwrapAll } from "../edits/unwrap.ts";
import { CliFailure, EXIT_FAILED, EXIT_USAGE } from "../failure.ts";
import { removeService } from "../install/acts.ts";
import type { CliIo } from "../io.ts";
import { sizeText } from "../originals/words.ts";
import { fitLines, lineWidth } from "../width.ts";
import { removed, removedEmpty } from "./disk.ts";
import {
  type Inventory,
  takeInventory,
  type UninstallMachine,
} from "./inventory.ts";
import type { Findings, PlacedItem, StayingItem } from "./item.ts";
import { failureText, listText, routedText, stayingText } from "./report.ts";

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
 * @returns Exit code: 0 removed, listed, or nothing there; 1 something is left, the answer was no, or a proxy runs; 2
 * nobody can be asked.
 * @throws {CliFailure} If a proxy runs, or the record of registrations cannot be read: nothing was removed.
 */
export async function runUninstall(
  run: UninstallRun,
  io: CliIo,
  world: UninstallWorld,
): Promise<number> {
  const inventory = await takeInventory(io, world);
  const { items, kept } = wanted(inventory.findings.items, run.keepData);
  const staying = [...inventory.findings.staying, ...kept];
  const list = listText(inventory, items);
  print(io, list || "svc put nothing on this machine that can be removed.\n");
  print(io, paragraph(stayingText(staying)));
  if (list === "") return told(inventory, io);
  if (run.dryRun) {
    print(io, paragraph(routedText(inventory)));
    if (inventory.inUse) io.stderr(`\nBefore that: ${inventory.inUse}.\n`);
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
  const rest = wanted(now.findings.items, run.keepData);
  return await removeAll(now, {
    items: rest.items,
    staying: [...now.findings.staying, ...rest.kept],
  }, io);
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

/** What is removed, and what the user wants to keep. */
function wanted(
  items: readonly PlacedItem[],
  keepData: boolean,
): { items: readonly PlacedItem[]; kept: readonly StayingItem[] } {
  if (!keepData) return { items, kept: [] };
  const kept = items.filter(({ isData }) => isData)
    .map(({ what, shown }) => ({ path: shown, why: `${what}, --keep-data` }));
  return { items: items.filter(({ isData }) => !isData), kept };
}

function told(inventory: Inventory, io: CliIo): number {
  print(io, paragraph(routedText(inventory)));
  return 0;
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
  { items, staying }: Pick<Findings, "items" | "staying">,
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
