/** Asks once a day whether there is a newer version, where somebody has named whom to ask. @module */
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import type { EgressState } from "./beacon.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Later } from "./later.ts";
import { replaceSmallFile, smallFile } from "./small_file.ts";

/** Milliseconds between two checks. */
const CHECK_EVERY_MS = 86_400_000;
/** Milliseconds that an answer may take. */
const TIMEOUT_MS = 5000;
/** Bytes of an answer that are read. */
const MAX_ANSWER_BYTES = 262_144;
/** Bytes of the file of the last check. */
const MAX_FILE_BYTES = 4096;

/** What a check depends on. */
export interface UpdateSwitches {
  /** Nothing may leave. */
  readonly offline: boolean;
  /** Whether the check is switched on. */
  readonly updateCheck: boolean;
  /** Who is asked; `undefined`: nobody. */
  readonly updateIndex: string | undefined;
  /** Whether nothing may be written. */
  readonly stateless: boolean;
  /** Whether this is a run of continuous integration. */
  readonly isCi: boolean;
  /** Whether the program runs from a checkout of its sources. */
  readonly isCheckout: boolean;
}

/** Says whether anybody is asked for a newer version, and why not. */
export function updateState(
  { offline, updateCheck, updateIndex, stateless, isCi, isCheckout }:
    UpdateSwitches,
): EgressState {
  const off = (reason: string) => ({ enabled: false, reason, endpoint: null });
  if (offline) return off("SVC_OFFLINE is on");
  if (!updateCheck) return off("SVC_UPDATE_CHECK is off");
  if (stateless) return off("SVC_STATELESS is on");
  if (isCi) return off("CI is set");
  if (updateIndex === undefined) {
    return off("SVC_UPDATE_INDEX_URL is not set");
  }
  if (isCheckout) return off("the program runs from its sources");
  return {
    enabled: true,
    reason: "SVC_UPDATE_INDEX_URL is set, and nothing switches it off",
    endpoint: new URL(updateIndex).host,
  };
}

/** Whether the environment is that of continuous integration. */
export function isContinuousIntegration(
  { CI }: Readonly<Record<string, string | undefined>>,
): boolean {
  return CI !== undefined && !/^(0|false|no|off)?$/i.test(CI.trim());
}

/** What a check needs. */
interface UpdateParts {
  /** Of this program. */
  readonly version: string;
  /** File of the last check. */
  readonly path: string;
  /** Time. */
  readonly clock: Clock;
  /** Timers. */
  readonly later: Later;
  /** Asks; the runtime's `fetch`. */
  readonly send: (request: Request) => Promise<Response>;
  /** Told of a newer version. */
  readonly log: Log;
}

/** A check that repeats itself. */
interface UpdateCheck {
  /** Resolves when the check that is under way has ended; at once when there is none. */
  readonly settled: Promise<void>;
  /** Ends it, and a question under way. */
  close(): void;
}

/**
 * Begins to check: now when the last check is a day old, else when it will be. A newer version is logged once, also
 * one that an earlier check has found. The day after a failure is another try.
 */
export function startUpdateCheck(
  switches: UpdateSwitches,
  parts: UpdateParts,
): UpdateCheck {
  const { updateIndex } = switches;
  if (!updateState(switches).enabled || updateIndex === undefined) {
    return { settled: Promise.resolve(), close() {} };
  }
  return new DailyCheck(updateIndex, parts);
}

class DailyCheck implements UpdateCheck {
  readonly #url: string;
  readonly #parts: UpdateParts;
  readonly #closed = new AbortController();
  #stop = () => {};
  #told = "";
  settled: Promise<void>;

  constructor(url: string, parts: UpdateParts) {
    this.#url = url;
    this.#parts = parts;
    this.settled = this.#check();
  }

  close(): void {
    this.#stop();
    this.#closed.abort();
  }

  async #check(): Promise<void> {
    const { clock, later, path } = this.#parts;
    const last = lastCheckIn(await smallFile(path, MAX_FILE_BYTES));
    const now = clock.now();
    // A clock that was set back must not put it off for years.
    const age = now - last.at;
    const isDue = age < 0 || age >= CHECK_EVERY_MS;
    const latest = isDue ? await this.#ask() : undefined;
    if (isDue && !this.#closed.signal.aborted) {
      const text = JSON.stringify({
        checked_at: new Date(now).toISOString(),
        latest: latest ?? last.latest,
      });
      await replaceSmallFile(path, `${text}\n`);
    }
    this.#report(latest ?? last.latest);
    if (this.#closed.signal.aborted) return;
    this.#stop = later(isDue ? CHECK_EVERY_MS : CHECK_EVERY_MS - age, () => {
      this.settled = this.#check();
    });
  }

  /** @returns The newest version; `undefined` when nobody says one that can be believed. */
  async #ask(): Promise<string | undefined> {
    const { later, log, send } = this.#parts;
    const late = new AbortController();
    const stop = later(TIMEOUT_MS, () => late.abort());
    try {
      const response = await send(
        new Request(this.#url, {
          headers: { "accept": "application/json", "user-agent": "svc" },
          redirect: "manual",
          signal: AbortSignal.any([late.signal, this.#closed.signal]),
        }),
      );
      if (!response.ok) {
        await response.body?.cancel();
        return undefined;
      }
      const text = await readLimited(response, MAX_ANSWER_BYTES);
      return text === undefined ? undefined : versionIn(text);
    } catch (error) {
      if (!this.#closed.signal.aborted) {
        // Whatever it is, the user's requests have nothing to do with it.
        const reason = error instanceof Error ? error.name : "error";
        log("info", "update_check_failed", { reason });
      }
      return undefined;
    } finally {
      stop();
    }
  }

  #report(latest: string): void {
    const { log, version } = this.#parts;
    const [ours, theirs] = [parseVersion(version), parseVersion(latest)];
    if (ours === undefined || theirs === undefined) return;
    // Nobody who runs a release is sent to a pre-release.
    if (theirs.preRelease.length > 0 && ours.preRelease.length === 0) return;
    if (compareVersions(theirs, ours) <= 0 || latest === this.#told) return;
    this.#told = latest;
    log("info", "update_available", { version, latest });
  }
}

/** Field `latest`, else `version`, of a JSON object, when it is a version. */
function versionIn(text: string): string | undefined {
  const { latest, version } = objectOr(parseJson(text));
  const found = latest ?? version;
  return typeof found === "string" && parseVersion(found) !== undefined
    ? found.trim()
    : undefined;
}

function lastCheckIn(text: string | undefined) {
  const { checked_at, latest } = objectOr(parseJson(text ?? ""));
  const at = typeof checked_at === "string" ? Date.parse(checked_at) : NaN;
  return {
    /** Milliseconds since the Unix epoch. */
    at: Number.isNaN(at) ? -Infinity : at,
    /** What was found; empty for nothing. */
    latest: typeof latest === "string" ? latest : "",
  };
}

/**
 * The body as text; `undefined` when it is longer than `maxBytes`: the rest is not read.
 *
 * @throws What the stream throws.
 */
export async function readLimited(
  response: Response,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [bytes, text] = [0, ""];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Longest text that is looked at. */
const MAX_CHARS = 64;
/** Semantic Versioning 2.0.0. */
const VERSION =
  /^v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i;

/** A version in parts. */
interface Version {
  /** Major, minor, patch. */
  readonly numbers: readonly [number, number, number];
  /** Identifiers of a pre-release; none for a release. */
  readonly preRelease: readonly string[];
}

/** Reads a version; `undefined` for anything that is none. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const match = VERSION.exec(text.trim());
  if (match === null) return undefined;
  const preRelease = match[4]?.split(".") ?? [];
  // A number has no leading zero.
  if (preRelease.some((part) => /^0\d+$/.test(part))) return undefined;
  return {
    numbers: [Number(match[1]), Number(match[2]), Number(match[3])],
    preRelease,
  };
}

/** Below zero when `a` comes before `b`, above when it comes after, 0 when neither does. */
export function compareVersions(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    const difference = number - b.numbers[i]!;
    if (difference !== 0) return difference;
  }
  return comparePreReleases(a.preRelease, b.preRelease);
}

/** A release comes after its pre-releases; numbers before words; fewer parts before more. */
function comparePreReleases(
  a: readonly string[],
  b: readonly string[],
): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = compareParts(a[i]!, b[i]!);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  const areNumbers = [a, b].map((part) => /^\d+$/.test(part));
  if (areNumbers[0] && areNumbers[1]) return Number(a) - Number(b);
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
