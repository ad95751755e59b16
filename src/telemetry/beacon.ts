/** Reports anonymous sums of a session, where somebody has named a place to report to. @module */
import type { Clock } from "../core/clock.ts";
import type { RequestRecord } from "../core/ledger.ts";
import type { Log } from "../core/log.ts";
import { beaconPayload, type BeaconSource } from "./beacon_payload.ts";
import {
  BeaconSession,
  entryOf,
  isTurn,
  type PublicNames,
} from "./beacon_session.ts";
import { type Later, within } from "./later.ts";

/** Milliseconds without a request after which a session is over. */
export const IDLE_MS = 900_000;
/** Milliseconds between two snapshots of a session. */
const FLUSH_MS = 300_000;
/** Milliseconds that one report may take. */
const TIMEOUT_MS = 5000;
/** Milliseconds that the last report of a process may hold up its end. */
const CLOSE_MS = 2000;

/** What a beacon needs. */
export interface BeaconParts {
  /** What is said of the installation, but its id and the stack. */
  readonly source: Omit<BeaconSource, "installId" | "stack">;
  /** The id of the installation; called when something is really going to be sent. */
  readonly installId: () => Promise<string>;
  /** Names that are public. */
  readonly names: PublicNames;
  /** Time. */
  readonly clock: Clock;
  /** Timers. */
  readonly later: Later;
  /** Sends a report; the runtime's `fetch`. */
  readonly send: (request: Request) => Promise<Response>;
  /** Makes the random id of a session. */
  readonly newId: () => string;
  /** Told when reports begin to fail, and when they arrive again. */
  readonly log: Log;
}

/** Reports sessions. */
interface Beacon {
  /** Takes one finished request. Never throws. */
  record(entry: RequestRecord): void;
  /** Ends the session with a last report, which may take 2 seconds. Never rejects. */
  close(): Promise<void>;
}

/** Opens the beacon. One that is switched off, or has nobody to report to, counts nothing and sends nothing. */
export function openBeacon(
  switches: BeaconSwitches,
  parts: BeaconParts,
): Beacon {
  const { beaconEndpoint } = switches;
  if (!beaconState(switches).enabled || beaconEndpoint === undefined) {
    return { record() {}, close: () => Promise.resolve() };
  }
  return new SessionBeacon(`${beaconEndpoint}/v1/logs`, parts);
}

class SessionBeacon implements Beacon {
  readonly #url: string;
  readonly #parts: BeaconParts;
  #session: BeaconSession | undefined;
  /** Milliseconds since the Unix epoch of the last request. */
  #lastAt = 0;
  /** Requests in the last snapshot. */
  #reported = 0;
  #stopFlush = () => {};
  #stopIdle = () => {};
  #installId: Promise<string> | undefined;
  /** Reports under way or waiting; one is sent at a time. */
  #waiting = 0;
  #sending: Promise<void> = Promise.resolve();
  #abort = new AbortController();
  #isClosed = false;
  #hasFailed = false;

  constructor(url: string, parts: BeaconParts) {
    this.#url = url;
    this.#parts = parts;
  }

  record(entry: RequestRecord): void {
    if (this.#isClosed || !isTurn(entry)) return;
    const now = this.#parts.clock.now();
    // A machine that slept has no timers.
    if (now - this.#lastAt >= IDLE_MS) this.#end();
    this.#lastAt = now;
    this.#open().add(entryOf(entry));
  }

  async close(): Promise<void> {
    this.#end();
    this.#isClosed = true;
    await within(CLOSE_MS, this.#sending, this.#parts.later);
    this.#abort.abort();
  }

  #open(): BeaconSession {
    if (this.#session === undefined) {
      const { newId, names } = this.#parts;
      this.#session = new BeaconSession(newId(), names);
      this.#reported = 0;
      this.#flushLater();
      this.#endLater(IDLE_MS);
    }
    return this.#session;
  }

  #flushLater(): void {
    this.#stopFlush = this.#parts.later(FLUSH_MS, () => {
      const turns = this.#session?.turns ?? 0;
      // The next snapshot holds everything that this one would.
      if (turns > this.#reported && this.#waiting === 0) this.#report(false);
      this.#flushLater();
    });
  }

  #endLater(ms: number): void {
    this.#stopIdle = this.#parts.later(ms, () => {
      const rest = IDLE_MS - (this.#parts.clock.now() - this.#lastAt);
      if (rest > 0) this.#endLater(rest);
      else this.#end();
    });
  }

  #end(): void {
    if (this.#session !== undefined) this.#report(true);
    this.#stopFlush();
    this.#stopIdle();
    this.#session = undefined;
  }

  #report(final: boolean): void {
    const session = this.#session;
    if (session === undefined) return;
    const { source, clock } = this.#parts;
    const snapshot = session.snapshot(final);
    this.#reported = snapshot.turns;
    const { stack } = session;
    const at = clock.now();
    this.#waiting++;
    this.#sending = this.#sending.then(async () => {
      await this.#post((installId) =>
        beaconPayload(snapshot, { ...source, installId, stack }, at)
      );
      this.#waiting--;
    });
  }

  async #post(payload: (installId: string) => unknown): Promise<void> {
    const { later, send } = this.#parts;
    const late = new AbortController();
    const stop = later(TIMEOUT_MS, () => late.abort());
    try {
      this.#installId ??= this.#parts.installId();
      const body = JSON.stringify(payload(await this.#installId));
      const response = await send(
        new Request(this.#url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
          redirect: "manual",
          signal: AbortSignal.any([late.signal, this.#abort.signal]),
        }),
      );
      await response.body?.cancel();
      this.#notify(response.ok ? undefined : `HTTP ${response.status}`);
    } catch (error) {
      // Whatever it is, the user's requests have nothing to do with it.
      this.#notify(error instanceof Error ? error.name : "error");
    } finally {
      stop();
    }
  }

  #notify(reason: string | undefined): void {
    if (this.#abort.signal.aborted) return;
    if ((reason !== undefined) === this.#hasFailed) return;
    this.#hasFailed = reason !== undefined;
    const { host } = new URL(this.#url);
    if (reason === undefined) {
      this.#parts.log("info", "beacon_recovered", { host });
    } else {
      this.#parts.log("info", "beacon_failed", { host, reason });
    }
  }
}

/** Switches of what may leave the machine, as the user has set them. */
interface BeaconSwitches {
  /** Nothing may leave. */
  readonly offline: boolean;
  /** No beacon. */
  readonly doNotTrack: boolean;
  /** Whether the beacon is switched on. */
  readonly beacon: boolean;
  /** Where it reports; `undefined`: nowhere. */
  readonly beaconEndpoint: string | undefined;
}

/** Whether something leaves the machine. */
export interface EgressState {
  /** Whether anything is sent. */
  readonly enabled: boolean;
  /** In plain words, without a final period. */
  readonly reason: string;
  /** Where it goes; `null` for nowhere. */
  readonly endpoint: string | null;
}

/** Whether the beacon reports, and why. */
export interface BeaconState extends EgressState {
  /** The variable that decides: of those that switch it off the first, else the one that names the endpoint. */
  readonly decidedBy:
    | "SVC_OFFLINE"
    | "DO_NOT_TRACK"
    | "SVC_BEACON"
    | "SVC_TELEMETRY_ENDPOINT";
}

/** Says whether the beacon reports. The switches are asked in this order: offline, do not track, the beacon's own. */
export function beaconState(
  { offline, doNotTrack, beacon, beaconEndpoint }: BeaconSwitches,
): BeaconState {
  const off = (decidedBy: BeaconState["decidedBy"], reason: string) => ({
    enabled: false,
    decidedBy,
    reason,
    endpoint: null,
  });
  if (offline) return off("SVC_OFFLINE", "SVC_OFFLINE is on");
  if (doNotTrack) return off("DO_NOT_TRACK", "DO_NOT_TRACK is set");
  if (!beacon) return off("SVC_BEACON", "SVC_BEACON is off");
  if (beaconEndpoint === undefined) {
    return off(
      "SVC_TELEMETRY_ENDPOINT",
      "SVC_TELEMETRY_ENDPOINT is not set",
    );
  }
  return {
    enabled: true,
    decidedBy: "SVC_TELEMETRY_ENDPOINT",
    reason: "SVC_TELEMETRY_ENDPOINT is set, and nothing switches it off",
    endpoint: new URL(beaconEndpoint).host,
  };
}
