/** What the ledger says: do savings flow, is the prefix kept, is the clock right? @module */
import type { LedgerReader, Sums } from "../../core/ledger_reader.ts";
import { netOf } from "../../core/sums.ts";
import { ageText, countText, manyText, timeText } from "../words.ts";
import {
  type Found,
  type FoundLedger,
  OTHER_WORKSPACE,
  skipped,
  type Verdict,
  verdicts,
  warned,
} from "./found.ts";

const DAY_MS = 86_400_000;

/** A weekend without a request is none to wonder about: three days, in milliseconds. */
const QUIET_MS = 3 * DAY_MS;
/** Fewer requests prove nothing. */
const MIN_REQUESTS = 20;
/** Requests among which a broken one is looked for. */
const RECENT = 2000;
/** Milliseconds by which two looks at one clock may differ. */
const CLOCK_MS = 5000;
/** Milliseconds by which the newest request may lie in the future: clocks are corrected. */
const FUTURE_MS = 5 * 60_000;
/** No clock showed less when this program was made: 2025, in milliseconds since the Unix epoch. */
const EARLIEST = Date.UTC(2025, 0);

/** Makes the verdict of a check that needs the ledger; without one there is nothing to check. */
function withLedger(
  ledger: FoundLedger,
  check: (reader: LedgerReader) => Verdict,
): Verdict {
  switch (ledger.state) {
    case "off":
      return skipped("SVC_STATELESS is on: requests are kept in memory");
    case "elsewhere":
      return skipped(OTHER_WORKSPACE);
    case "missing":
      return skipped(`no request yet: there is no ${ledger.path}`);
    case "broken":
      return skipped("the ledger cannot be read: see the check of the ledger");
    case "open":
      return check(ledger.reader);
  }
}

/** Whether requests come, and something is saved. */
export function checkSavings(found: Found): Verdict {
  const { ledger } = found;
  if (ledger.state === "missing") {
    return warned(
      `no request yet: there is no ${ledger.path}`,
      "start svc proxy and send a client through it; if one runs with another SVC_WORKSPACE_DIR, set the same here",
    );
  }
  return withLedger(ledger, (reader) => savingsVerdict(reader, found));
}

function savingsVerdict(
  reader: LedgerReader,
  { now, settings, proxy }: Found,
): Verdict {
  const newest = reader.requests({ limit: 1 })[0];
  const lifetime = reader.lifetime();
  const today = todaysSums(reader, now);
  const saved = netOf(lifetime);
  const details = {
    last_request: newest ? new Date(newest.at).toISOString() : null,
    requests_today: today?.requests ?? 0,
    tokens_saved_today: today ? netOf(today) : 0,
    requests: lifetime.requests,
    tokens_saved: saved,
  };
  const say = verdicts(details);
  if (newest === undefined) {
    const hint = "send a client through the proxy";
    return say.warned("the ledger has no requests", hint);
  }
  const age = now - newest.at;
  const text = `last request ${ageText(age)} ago; saved ${
    countText(details.tokens_saved_today)
  } tokens today (UTC), ${countText(saved)} in ${
    manyText(lifetime.requests, "request")
  } of all time`;
  if (age > QUIET_MS) {
    const hint = "clients may bypass the proxy: see the checks of agents";
    return say.warned(text, hint);
  }
  if (lifetime.requests < MIN_REQUESTS || saved > 0) {
    return say.passed(text);
  }
  const mode = proxy.config["mode"] ?? settings.config.mode;
  const hint = mode === "passthrough"
    ? "the mode is passthrough: nothing is compressed"
    : "svc perf shows why so little was saved";
  return say.warned(text, hint);
}

function todaysSums(reader: LedgerReader, now: number): Sums | undefined {
  const start = now - now % DAY_MS;
  return reader.buckets("daily").find((bucket) => bucket.start === start);
}

/** Whether svc never changed what it had sent before. */
export function checkPrefix({ ledger }: Found): Verdict {
  return withLedger(ledger, (reader) => {
    const broken = reader.brokenPrefixes();
    const { requests } = reader.lifetime();
    const details = { broken, requests };
    if (broken === 0) {
      return verdicts(details).passed(
        `svc never changed a prompt that was already sent, in ${
          manyText(requests, "request")
        }`,
      );
    }
    const last = reader.requests({ limit: RECENT })
      .find(({ prefix }) => prefix?.verdict === "ours");
    return verdicts({ ...details, last_request_id: last?.id ?? null }).failed(
      `svc changed prompts that were already sent, in ${countText(broken)} of ${
        manyText(requests, "request")
      }: providers billed them again`,
      last === undefined
        ? "please report it"
        : `please report it, with the prefix line of svc show ${last.id}`,
    );
  });
}

/** Whether the clock agrees with the newest request and with the proxy. */
export function checkClock({ now, ledger, proxy }: Found): Verdict {
  const newest = ledger.state === "open"
    ? ledger.reader.requests({ limit: 1 })[0]?.at
    : undefined;
  const stamp = Date.parse(String(proxy.health["timestamp"]));
  const say = verdicts({
    now: new Date(now).toISOString(),
    newest_request: newest === undefined
      ? null
      : new Date(newest).toISOString(),
    proxy: Number.isNaN(stamp) ? null : new Date(stamp).toISOString(),
  });
  const hint =
    "correct the clock: days, budgets and the lifetime of originals depend on it";
  if (now < EARLIEST) {
    return say.failed(`the clock shows ${timeText(now)}`, hint);
  }
  if (newest !== undefined && newest - now > FUTURE_MS) {
    return say.warned(
      `the newest request came ${
        ageText(newest - now)
      } from now: the clock was set back`,
      hint,
    );
  }
  if (Math.abs(stamp - now) > CLOCK_MS) {
    return say.warned(
      `the proxy's clock differs by ${ageText(Math.abs(stamp - now))}`,
      hint,
    );
  }
  return say.passed(
    `${timeText(now)}, in agreement with the ledger and the proxy`,
  );
}
