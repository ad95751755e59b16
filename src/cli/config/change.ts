/** `svc config set` and `svc config unset`. @module */
import { warn } from "../terminal.ts";
import { dirname, resolve } from "node:path";
import { keyOf } from "../../settings/fields.ts";
import { SETTINGS } from "../../settings/registry.ts";
import type { SettingRow } from "../../settings/row.ts";
import type { SaveOutcome } from "../../core/setting.ts";
import { CliFailure, usageFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { askProxyIfAllowed, memberOf } from "../running_proxy.ts";
import { type ReachedSettings, reachSettings, storable } from "./reach.ts";

/** Bytes of a value on standard input. */
const MAX_VALUE_BYTES = 1 << 20;
/** Milliseconds in which a running proxy answers. */
const ASK_MS = 500;

/**
 * Stores a value and says what that changes.
 * @param name Key or variable.
 * @param value Its text; `-` reads it from standard input, so that it stands in no history.
 * @throws {CliFailure} If the setting does not take it, or the file cannot be written.
 */
export async function runSet(
  name: string,
  value: string,
  io: CliIo,
): Promise<void> {
  const row = storable(name);
  const text = value === "-" ? await valueFromStdin(io) : value;
  const reached = await reachSettings(io);
  const saved = usable(await reached.store.save({ [name]: text }));
  const { path } = reached.file;
  const what = `${keyOf(row)} is ${row.secret ? "set" : said(text)}`;
  io.stderr(
    saved.changed.length === 0
      ? `${what} in ${path} already\n`
      : `${what} in ${path} now\n`,
  );
  warn(io, saved.notes);
  await sayHowToApply(saved, reached, io);
}

/**
 * Takes settings out of the file.
 * @throws {CliFailure} If there is no such setting, or the file cannot be written.
 */
export async function runUnset(
  names: readonly string[],
  io: CliIo,
): Promise<void> {
  const rows: SettingRow<unknown>[] = names.map(storable);
  const reached = await reachSettings(io);
  const values = Object.fromEntries(rows.map((row) => [row.env, null]));
  const saved = usable(await reached.store.save(values));
  const { path } = reached.file;
  io.stderr(
    saved.changed.length === 0
      ? `Nothing to take out: ${path} does not set ${names.join(", ")}\n`
      : `${saved.changed.join(", ")} taken out of ${path}\n`,
  );
  warn(io, saved.notes);
  await sayHowToApply(saved, reached, io);
}

async function valueFromStdin(io: CliIo): Promise<string> {
  const bytes = await io.stdin(MAX_VALUE_BYTES);
  return new TextDecoder().decode(bytes).replace(/\r?\n$/, "");
}

function said(text: string): string {
  return text === "" ? "not set" : text;
}

type Stored = Extract<SaveOutcome, { type: "saved" }>;

function usable(saved: SaveOutcome): Stored {
  switch (saved.type) {
    case "saved":
      return saved;
    case "unwritable":
      throw new CliFailure(saved.reason);
    case "unknown":
      throw usageFailure(
        `Cannot store ${saved.names.join(", ")}: no such setting`,
      );
    case "invalid":
      throw usageFailure(Object.values(saved.errors).join("; "));
  }
}

/** A proxy that runs does not look at the file by itself. */
async function sayHowToApply(
  { changed, needsRestart }: Stored,
  { values: { given }, file }: ReachedSettings,
  io: CliIo,
): Promise<void> {
  if (changed.length === 0) return;
  const place = {
    host: given.SVC_HOST?.raw.trim() || SETTINGS.host.fallback,
    port: Number(given.SVC_PORT?.raw ?? SETTINGS.port.fallback),
  };
  const proxy = await askProxyIfAllowed(place, io, ASK_MS);
  const waiting = needsRestart.join(", ");
  const now = changed.filter((key) => !needsRestart.includes(key)).join(", ");
  if (proxy.state !== "up") return sayInGeneral(io, { now, waiting });
  const { url, health } = proxy;
  const { workspace } = memberOf(health, "config");
  if (isOther(workspace, file.path, io)) {
    io.stderr(
      `The proxy at ${url} keeps its files in ${workspace}: it does not read this file\n`,
    );
    return;
  }
  if (now !== "") {
    io.stderr(
      `A proxy runs at ${url}: send it SIGHUP, press Apply at ${url}/dashboard#/settings, or \`curl -X POST ${url}/settings/apply\`, and it uses ${now}\n`,
    );
  }
  if (waiting !== "") {
    io.stderr(
      `A proxy runs at ${url}: it uses ${waiting} once it is started again\n`,
    );
  }
}

/** Whether a proxy of that workspace reads another file; not where the file's place was chosen by itself. */
function isOther(workspace: unknown, path: string, io: CliIo): boolean {
  return typeof workspace === "string" && !io.env.SVC_SETTINGS_PATH &&
    resolve(dirname(path)) !== workspace;
}

/** Where none answers, one may still run at another address. */
function sayInGeneral(
  io: CliIo,
  { now, waiting }: { readonly now: string; readonly waiting: string },
): void {
  const parts = [
    ...now === ""
      ? []
      : [`${now} after SIGHUP, or Apply on the settings page of its dashboard`],
    ...waiting === "" ? [] : [`${waiting} with its next start`],
  ];
  io.stderr(`A proxy that runs already would use ${parts.join("; ")}\n`);
}
