/**
 * What compression keeps of real tool results and what it saves; writes its
 * section of BENCHMARKS.md. Fails if a compressor throws, a fact is lost or two
 * runs differ.
 *
 * Usage: `deno task quality -- [--tuning] [--kind K] [--show FILE] [--missing]`.
 * With `--needles` it plants lines that must be seen into the same texts and looks for them in what is sent:
 * `--kind K`, `--missing` (all that were missed, not only examples), `--show "FILE: VARIANT"` (or a part of it),
 * `--floors` (what `needles_test.ts` may require).
 * With `--speed` it measures what a decision about 20 KB of each kind costs; with `--against FOLDER` that of another
 * checkout as well, on the same texts in turns.
 *
 * @module
 */
import { hash } from "node:crypto";
import { parseArgs } from "node:util";
import { openRouter } from "../../src/compute/open_router.ts";
import { decisionReport, routerOf } from "../bench/decisions.ts";
import { loadCorpus, type LoadedItem } from "./corpus.ts";
import { judge, type Judged } from "./judge.ts";
import { needleFloors, needleForms, needleReport } from "./needle_report.ts";
import {
  factList,
  itemTable,
  kindTable,
  percent,
  reasonTable,
  sizeTable,
  weightedTotal,
} from "./report.ts";
import { withSection } from "./section.ts";

const { values: flags } = parseArgs({
  args: Deno.args.filter((arg) => arg !== "--"),
  options: {
    /** Only items that are not held out. */
    tuning: { type: "boolean", default: false },
    /** Only one kind, one row per item. */
    kind: { type: "string" },
    /** Prints what is sent for one file. */
    show: { type: "string" },
    /** Lists the facts that are not inline. */
    missing: { type: "boolean", default: false },
    /** Prints a digest of all forms and nothing else. */
    digest: { type: "boolean", default: false },
    /** Plants needles and looks for them. */
    needles: { type: "boolean", default: false },
    /** Measures decisions. */
    speed: { type: "boolean", default: false },
    /** Root of another checkout to compare with. */
    against: { type: "string" },
    /** Prints the floors of the needles that the tests look for. */
    floors: { type: "boolean", default: false },
  },
});

const router = await openRouter();
if (flags.speed) {
  await speed();
  Deno.exit();
}
const corpus = await loadCorpus(new URL("../corpus/", import.meta.url));
if (flags.needles) {
  await needles(corpus.filter(({ heldOut }) => !flags.tuning || !heldOut));
  Deno.exit();
}
const judged: Judged[] = [];
for (const item of corpus) {
  if (flags.tuning && item.heldOut) continue;
  if (flags.kind !== undefined && item.kind !== flags.kind) continue;
  if (flags.show !== undefined && item.file !== flags.show) continue;
  judged.push(await judge(router, item));
}

const isWhole = !flags.tuning && flags.kind === undefined;
if (flags.digest) say(digestOf(judged));
else if (flags.show !== undefined) show(judged);
else await report(judged);

async function speed(): Promise<void> {
  const { against } = flags;
  say(
    await decisionReport([
      ...against === undefined
        ? []
        : [{ name: "against", router: await routerOf(against) }],
      { name: "this checkout", router },
    ]),
  );
}

async function needles(items: readonly LoadedItem[]): Promise<void> {
  if (flags.floors) return say(await needleFloors(router, items));
  if (flags.show === undefined) {
    const { kind, missing: all } = flags;
    return say(await needleReport(router, items, { kind, all }));
  }
  for (const form of await needleForms(router, items, flags.show)) say(form);
}

function show(rows: readonly Judged[]): void {
  if (rows.length === 0) fail(`No item is called ${flags.show}`);
  for (const { form } of rows) say(form);
  say("");
  say(itemTable(rows));
  for (const fact of factList(rows, "recoverable")) say(`not inline: ${fact}`);
}

async function report(rows: readonly Judged[]): Promise<void> {
  if (rows.length === 0) fail(`No items of kind ${flags.kind}`);
  const text = reportOf(rows);
  if (flags.kind !== undefined) say(`${itemTable(rows)}\n`);
  say(text);
  if (flags.missing) {
    say(["", ...factList(rows, "recoverable")].join("\nnot inline: "));
  }
  const broken = rows.filter(({ reason }) => reason.startsWith("failed: "));
  if (broken.length > 0) fail(`Compressors failed:\n${itemTable(broken)}`);
  const lost = factList(rows, "lost");
  if (lost.length > 0) fail(`Lost facts:\n${lost.join("\n")}`);
  if (!isWhole) return;
  const file = new URL("../../BENCHMARKS.md", import.meta.url);
  await Deno.writeTextFile(
    file,
    withSection(await Deno.readTextFile(file), text),
  );
  if (await digestOfAnotherProcess() !== digestOf(rows)) {
    fail("Another process made other forms of the same items");
  }
  say("\nAnother process made the same forms.");
}

function reportOf(rows: readonly Judged[]): string {
  return [
    "## Quality",
    "",
    "Written by `deno task quality` from the results in `tests/corpus/`. Saved: percent of",
    "tokens (o200k_base), markers included. A fact is a piece of a result that a likely next",
    "question needs: `inline` in what is sent, `recoverable` by asking for the original, or lost.",
    "Failures inline: of the facts that say that something failed. The aim is for the mean of items.",
    "",
    kindTable(rows),
    "",
    `Saved in a session with the usual shares of kinds, without the large extras: ${
      percent(weightedTotal(rows))
    } %.`,
    "",
    sizeTable(rows),
    "",
    reasonTable(rows),
  ].join("\n");
}

function digestOf(rows: readonly Judged[]): string {
  const forms = rows.map(({ item, form }) => [item.file, form]);
  return hash("sha256", JSON.stringify(forms), "hex");
}

async function digestOfAnotherProcess(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", import.meta.filename!, "--digest"],
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

function fail(message: string): never {
  // deno-lint-ignore no-console
  console.error(message);
  Deno.exit(1);
}

function say(line: string): void {
  // deno-lint-ignore no-console
  console.log(line);
}
