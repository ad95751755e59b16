/** What the beacon would say of the last session in the ledger. @module */
import type { LedgerReader, LoggedRequest } from "../core/ledger_reader.ts";
import { IDLE_MS } from "./beacon.ts";
import { beaconPayload, type BeaconSource } from "./beacon_payload.ts";
import { BeaconSession, isTurn, type PublicNames } from "./beacon_session.ts";

/** Requests of a session that are looked at. */
const MAX_TURNS = 2000;
/** Stands for an id that is made for each session. */
const SESSION_ID = "(random, another one in each session)";

/** A report that nobody gets. */
export interface BeaconPreview {
  /** Requests of the session; 0 when there is none. */
  readonly turns: number;
  /** Body of the request that would be sent. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Makes the report of the last session, as far as the ledger knows it; without a ledger that of an empty one.
 *
 * @param reader The ledger; `undefined` for none.
 */
export function previewBeacon(
  reader: Pick<LedgerReader, "requests"> | undefined,
  { names, source, now }: {
    /** Names that are public. */
    readonly names: PublicNames;
    /** What is said of the installation. */
    readonly source: Omit<BeaconSource, "stack">;
    /** Milliseconds since the Unix epoch. */
    readonly now: number;
  },
): BeaconPreview {
  const session = new BeaconSession(SESSION_ID, names);
  const turns = lastTurns(reader);
  for (const turn of turns) session.add(turn);
  const last = turns.at(-1);
  const isOver = last !== undefined && now - endOf(last) >= IDLE_MS;
  const snapshot = session.snapshot(isOver);
  const { stack } = session;
  return {
    turns: turns.length,
    payload: beaconPayload(snapshot, { ...source, stack }, now),
  };
}

/** Requests with less than the idle time between them, the oldest first. */
function lastTurns(
  reader: Pick<LedgerReader, "requests"> | undefined,
): readonly LoggedRequest[] {
  const turns: LoggedRequest[] = [];
  let newer = Infinity;
  for (const request of reader?.requests({ limit: MAX_TURNS }) ?? []) {
    if (!isTurn(request)) continue;
    const end = endOf(request);
    if (newer !== Infinity && newer - end >= IDLE_MS) break;
    newer = end;
    turns.push(request);
  }
  return turns.reverse();
}

/** Milliseconds since the Unix epoch. */
function endOf({ at, latencyMs }: LoggedRequest): number {
  return at + latencyMs;
}
