/** What a home of an earlier wrap holds that the durable home does not. Nothing is changed. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { systemCode } from "../../core/errors.ts";
import { Buffer, isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { ConfigFault } from "../agents/agent.ts";
import { mergeConfig, mergeLines, relationOf } from "./merge.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import { entryAt } from "../uninstall/disk.ts";
import { type AgentHome, filesOf, kindOf } from "./homes.ts";

/** Makes bytes of bytes. */
type Content = (source: Uint8Array) => Uint8Array;

/** A file of the source that the durable home has not, or not so. */
export interface Finding {
  /** Path in the source, with `/`; absent for what is no file. */
  readonly from?: string;
  /** Path in the durable home: a session may have been archived there. */
  readonly path: string;
  /** What happens with it, for people. */
  readonly what: string;
  /** What is there now; `undefined` for nothing. */
  readonly before?: Uint8Array | undefined;
  /** What will be there, made of what is in the source; `undefined` for what stays as it is. */
  readonly content?: Content;
}

/** The two sides; absolute paths where links ended. */
export interface Sides {
  /** Whose homes they are. */
  readonly home: AgentHome;
  /** The home of an earlier wrap. */
  readonly source: string;
  /** The durable home. */
  readonly target: string;
}

/** A file of the source, and the one in its place. */
interface Pair extends Pick<Finding, "path" | "before"> {
  readonly from: string;
  readonly theirs: Uint8Array;
}

/** A file as it is. */
const asItIs: Content = (source) => source;

/**
 * Compares the two sides.
 *
 * @throws {Error} The system's, if a file cannot be read.
 */
export async function planOf(sides: Sides): Promise<readonly Finding[]> {
  const { home, source, target } = sides;
  const places = new Map(
    (await filesOf(target))
      .filter(({ path }) => kindOf(home, path) === "session")
      .map(({ path }) => [basename(path), path]),
  );
  const { found, renew } = await configOf(sides);
  const findings = [...found];
  for (const { path: from, kind: entry } of await filesOf(source)) {
    const kind = kindOf(home, from);
    if (kind === undefined || kind === "config") continue;
    if (entry !== "file") {
      findings.push({ path: from, what: "a link or no file, left out" });
      continue;
    }
    // Names of rollouts are used once, those of other files once per directory.
    const moved = from.includes("/rollout-") && places.get(basename(from));
    const path = moved || from;
    const before = await bytesAt(target, path);
    const theirs = await bytesAt(source, from);
    if (before === null || !theirs) {
      const side = before === null ? "durable" : "old";
      const what = `no file that can be read in the ${side} home, left out`;
      findings.push({ path: from, what });
      continue;
    }
    const pair = { from, path, theirs, before };
    if (kind === "session") {
      findings.push(...await sessionFindings(pair, target, renew));
    } else if (kind === "history") findings.push(...historyFindings(pair));
    else findings.push(...await wholeFindings(pair, source, target));
  }
  return findings;
}

/** Bytes of a file; `undefined` where nothing is, `null` where something is that cannot be read as one. */
async function bytesAt(
  root: string,
  path: string,
): Promise<Uint8Array | undefined | null> {
  try {
    return await Deno.readFile(join(root, path));
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (["ENOTDIR", "EISDIR", "EACCES", "ELOOP"].includes(code)) return null;
    if (code !== "ENOENT") throw error;
    // A link that leads to nothing is something.
    return await entryAt(root, path) === undefined ? undefined : null;
  }
}

/** Databases and files without rules of their own are never merged. */
async function wholeFindings(
  { theirs, ...pair }: Pair,
  source: string,
  target: string,
): Promise<readonly Finding[]> {
  const { from, before } = pair;
  if (before !== undefined) {
    return relationOf(theirs, before) === "same"
      ? []
      : [{ ...pair, what: "differs, that of the durable home stays" }];
  }
  const whole = { what: "new", content: asItIs };
  // What is not yet in a database is in the log beside it, which comes first: without the database it is taken again.
  const log = `${from}-wal`;
  const added: Finding = { ...pair, ...whole };
  if (await entryAt(source, log) === undefined) return [added];
  const old = await bytesAt(target, log) ?? undefined;
  return [{ from: log, path: log, before: old, ...whole }, added];
}

function historyFindings({ theirs, ...pair }: Pair): readonly Finding[] {
  const ours = textOf(pair.before ?? new Uint8Array());
  const { text, added } = mergeLines(ours, textOf(theirs));
  const content = () => Buffer.from(text, "latin1");
  return added === 0
    ? []
    : [{ ...pair, what: `lines added: ${added}`, content }];
}

async function sessionFindings(
  { theirs, ...pair }: Pair,
  target: string,
  renew: Content,
): Promise<readonly Finding[]> {
  const { from, path, before } = pair;
  if (before === undefined) {
    return [{ ...pair, what: "new session", content: renew }];
  }
  const relation = relationOf(renew(theirs), before);
  if (relation === "longer") {
    return [{ ...pair, what: "the session went on", content: renew }];
  }
  if (relation !== "other") return [];
  const [id, twin] = twinIds(from, theirs);
  const place = `${dirname(path)}/${basename(from).replace(id, twin)}`;
  // It is there from an earlier run, and may have gone on since.
  if (await bytesAt(target, place) !== undefined) return [];
  const content = (source: Uint8Array) =>
    Buffer.from(textOf(renew(source)).replaceAll(id, twin), "latin1");
  const what = `went on otherwise than ${path}, which stays`;
  return [{ from, path: place, what, content }];
}

const UUID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?=\.jsonl$)/i;

/** The id in a session's name, and one for a second session that follows from what is in it. */
function twinIds(path: string, bytes: Uint8Array): readonly [string, string] {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const [id] = UUID.exec(path) ?? [];
  return id === undefined
    ? [".jsonl", `-${digest}.jsonl`]
    : [id, id.slice(0, -digest.length) + digest];
}

/** The merge of the configurations, and what makes the agent take a session of a provider that is configured no more. */
async function configOf(
  { home: { config, provider }, source, target }: Sides,
): Promise<{ readonly found: readonly Finding[]; readonly renew: Content }> {
  if (config === undefined) return { found: [], renew: asItIs };
  const { path, format } = config;
  const theirs = await bytesAt(source, path) ?? undefined;
  const before = await bytesAt(target, path) ?? undefined;
  const pair = { from: path, path, before };
  const stays = (what: string): Finding => ({ ...pair, what });
  try {
    const own = before && utf8Of(before);
    const merged = mergeConfig(own, utf8Of(theirs ?? new Uint8Array()), config);
    const found = merged.stays.toSorted().map(stays);
    const { added, routes, text } = merged;
    if (added.length > 0) {
      const content = () => Buffer.from(text ?? "");
      const what = `keys added: ${added.toSorted().join(", ")}`;
      found.push({ ...pair, what, content });
    }
    if (provider === undefined) return { found, renew: asItIs };
    const values = VALUE_FORMATS[format].parse(text ?? "");
    const known = values["model_providers"];
    const gone = [provider.ofWraps, ...routes]
      .filter((name) => !isJsonObject(known) || !Object.hasOwn(known, name));
    const now = JSON.stringify(values[provider.key] ?? provider.usual);
    const names = gone.map((name) => RegExp.escape(name)).join("|");
    const line = new RegExp(
      String.raw`^([^\n]*"${provider.key}"\s*:\s*)"(${names || "$."})"`,
    );
    const renew = (bytes: Uint8Array) =>
      Buffer.from(
        textOf(bytes).replace(line, (_, start: string) => start + now),
        "latin1",
      );
    return { found, renew };
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    return { found: [stays(`left alone, ${error.message}`)], renew: asItIs };
  }
}

/** One character per byte: whatever the bytes are, they come back as they were. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString("latin1");
}

function utf8Of(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new ConfigFault("it is not UTF-8 text");
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
