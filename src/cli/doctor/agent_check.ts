/** Does an agent send its requests to the proxy, by what, and is its version one that was tried? @module */
import { objectOr, parseJson } from "../../bytes/json_parts.ts";
import { orElse } from "../failure.ts";
import type { FileWorld } from "../io.ts";
import { basename, dirname, join, resolve } from "node:path";
import { wrappedFiles } from "../commands/unwrap.ts";
import { addresses, type AgentRow, inHome } from "./agent_rows.ts";
import {
  ownPlace,
  type Route,
  routeFacts,
  routesVerdict,
  targetOf,
  unreadableReason,
} from "./routing.ts";
import { type Found, skipped, type Verdict, warned } from "./found.ts";
import { programPath } from "../agents/locate.ts";
import type { Machine } from "./machine.ts";

/** The check of one agent; `undefined` for one that is not on this machine and has no check of its own. */
export async function checkAgent(
  row: AgentRow,
  found: Found,
): Promise<Verdict | undefined> {
  const isHere = row.check !== undefined || await isPresent(row, found);
  if (!isHere) return undefined;
  const verdict = await (row.check?.(found) ?? commonCheck(row, found));
  if (verdict.status === "skip" && row.check !== undefined) return verdict;
  const version = await installedVersion(row, found.io, found.machine);
  const kept = (await wrappedFiles(found.io)).filter(({ agent, path }) =>
    agent.id === row.id && verdict.summary.includes(path)
  );
  return {
    ...verdict,
    summary: [
      verdict.summary,
      ...kept.length > 0 ? ["written by svc wrap --keep"] : [],
      ...versionText(row, version),
    ].join("; "),
    details: {
      ...verdict.details,
      kept: kept.length > 0,
      version: version ?? null,
      tried: row.tried ?? null,
    },
  };
}

function versionText(
  { tried }: Pick<AgentRow, "tried">,
  version: string | undefined,
): readonly string[] {
  if (version === undefined) return [];
  if (version === tried?.version) return [`version ${version} was tried`];
  const last = tried && `, ${tried.version} was (${tried.date})`;
  return [`version ${version} was not tried${last ?? ""}`];
}

async function isPresent(row: AgentRow, { io }: Found): Promise<boolean> {
  const { directory } = row;
  const hasHome = Boolean(io.env.HOME || io.env.USERPROFILE);
  const isUsed = hasHome && directory !== undefined &&
    await io.files.exists(inHome(io.env, directory));
  return isUsed || await programPath(row.program, io) !== undefined;
}

async function commonCheck(row: AgentRow, found: Found): Promise<Verdict> {
  const { title, unseen } = row;
  const fix = `svc wrap ${row.id}`;
  if (unseen !== undefined) return skipped(`${title}: ${unseen}`);
  const routes = await routesOf(row, found);
  if (typeof routes === "string") return warned(routes);
  const details = { routes: routes.map(routeFacts), fix };
  const hint = `${fix} starts it with the proxy`;
  const none = warned(
    `${title} does not use the proxy: no base URL in the shell or its files`,
    hint,
  );
  return routesVerdict(routes, found, { fix: hint, details }) ??
    { ...none, details };
}

/** Base URLs that are set, those of the shell first; what is wrong with a file that cannot be read. */
async function routesOf(
  { variables = {}, files = {} }: AgentRow,
  found: Found,
): Promise<readonly Route[] | string> {
  const { io } = found;
  const own = ownPlace(found);
  const routes: Route[] = Object.entries(variables).flatMap(
    ([name, ending]) => {
      const text = io.env[name];
      if (!text) return [];
      const target = targetOf(text, own);
      const isV1 = target.path.endsWith("/v1");
      const fault = isV1 && ending === ""
        ? "ends in /v1, which its client adds"
        : !isV1 && ending === "/v1"
        ? "has no /v1 at its end"
        : undefined;
      return [{ from: `${name} in the shell`, target, fault }];
    },
  );
  const hasHome = Boolean(io.env.HOME || io.env.USERPROFILE);
  for (const [path, keys] of hasHome ? Object.entries(files) : []) {
    const place = resolve(io.cwd, inHome(io.env, path));
    try {
      const text = await io.files.read(place) ?? "";
      for (const { groups } of text.matchAll(addresses(keys))) {
        const target = targetOf(groups?.["url"] ?? "", own);
        routes.push({ from: `${groups?.["key"]} in ${place}`, target });
      }
    } catch (error) {
      return `cannot read ${place}: ${unreadableReason(error)}`;
    }
  }
  return routes;
}

/** Directories above a program in which its package may be. */
const LEVELS = 5;

/** The version; `undefined` where the program is not in `PATH`, or nothing says it. */
export async function installedVersion(
  row: Pick<AgentRow, "program" | "package">,
  world: FileWorld,
  machine: Pick<Machine, "realPath">,
): Promise<string | undefined> {
  const found = await programPath(row.program, world);
  if (found === undefined) return undefined;
  const program = await machine.realPath(found);
  return await npmVersion(row, [program, found], world) ??
    await pythonVersion(row, program, world) ??
    /[\\/]v?(\d+\.\d+\.\d+)(?=[\\/]|$)/.exec(program)?.[1];
}

/** Directory of a package: above it is that of whoever installed it. */
const PACKAGE = /[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/@]+$/;

async function npmVersion(
  { package: name = "" }: Pick<AgentRow, "package">,
  [program = "", found = ""]: readonly string[],
  { files }: FileWorld,
): Promise<string | undefined> {
  // On Windows the program is a script beside its package.
  const places = [join(dirname(found), "node_modules", name)];
  for (let at = dirname(program); places.length <= LEVELS; at = dirname(at)) {
    places.push(at);
  }
  for (const place of places.filter((path) => PACKAGE.test(path))) {
    const path = join(place, "package.json");
    const text = await orElse(undefined, () => files.read(path));
    const { name, version } = objectOr(parseJson(text ?? "null"));
    // Files inside packages say only how modules are read.
    if (typeof name === "string" && typeof version === "string") return version;
  }
  return undefined;
}

async function pythonVersion(
  { package: name }: Pick<AgentRow, "package">,
  program: string,
  { files }: FileWorld,
): Promise<string | undefined> {
  if (name === undefined || basename(dirname(program)) !== "bin") {
    return undefined;
  }
  const lib = join(dirname(program), "..", "lib");
  const record = new RegExp(
    `^${RegExp.escape(name.replaceAll("-", "_"))}-(.+)\\.dist-info$`,
    "i",
  );
  for (const python of await files.namesIn(lib)) {
    if (!python.startsWith("python")) continue;
    const packages = join(lib, python, "site-packages");
    for (const entry of await files.namesIn(packages)) {
      const [, version] = record.exec(entry) ?? [];
      if (version !== undefined) return version;
    }
  }
  return undefined;
}
