/** What a running proxy says of itself. @module */
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import { missingFlag } from "./failure.ts";
import type { CliIo, EgressChannel, ServerAnswer } from "./io.ts";

/** Addresses that mean "all of them" and cannot be called. */
const ANY_ADDRESS = new Set(["0.0.0.0", "::"]);

/** Port that `svc wrap` takes when it is told of none. */
const USUAL_PORT = 8787;

/** What a command of svc takes to reach the proxy on a port. */
export function portFlag(port: number): string {
  return port === USUAL_PORT ? "" : ` --port ${port}`;
}

/** An object of JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/** A proxy that answered. */
export interface AnsweringProxy {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  /** Body of `/health`. */
  readonly health: Facts;
  /** Body of `/stats`; empty where it did not answer in time. */
  readonly stats: Facts;
}

/** What came of asking. */
type AskedProxy =
  | AnsweringProxy & { readonly state: "up" }
  /** Another program answered, with this HTTP status. */
  | { readonly state: "other"; readonly status: number }
  /** Nobody answered in time. */
  | { readonly state: "none" };

/** Host to call for a proxy that listens there. */
export function calledHost(host: string): string {
  return ANY_ADDRESS.has(host) ? "127.0.0.1" : host;
}

/** Base URL of a proxy that listens there, without a slash at its end. */
export function proxyUrl(
  { host, port }: { readonly host: string; readonly port: number },
): string {
  const name = calledHost(host);
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/**
 * Asks the proxy that listens there for its health and its figures.
 *
 * @param timeoutMs Milliseconds for each answer.
 */
export async function askProxy(
  place: { readonly host: string; readonly port: number },
  io: Pick<CliIo, "ask">,
  timeoutMs: number,
): Promise<AskedProxy> {
  const url = proxyUrl(place);
  const answer = await io.ask(new URL("/health", url), timeoutMs);
  if (answer === undefined) return { state: "none" };
  const health = factsOf(answer);
  if (health?.["service"] !== "svc-proxy") {
    return { state: "other", status: answer.status };
  }
  const stats = await io.ask(new URL("/stats", url), timeoutMs);
  return { state: "up", url, health, stats: factsOf(stats) ?? {} };
}

/** {@linkcode askProxy} for a note beside a command's own work: who may not be asked is nobody. */
export async function askProxyIfAllowed(
  ...args: Parameters<typeof askProxy>
): Promise<AskedProxy> {
  try {
    return await askProxy(...args);
  } catch (error) {
    if (missingFlag(error) === undefined) throw error;
    return { state: "none" };
  }
}

/** A member of an object that is an object itself; an empty one for anything else. */
export function memberOf(facts: Facts, name: string): Facts {
  const value = facts[name];
  return isJsonObject(value) ? value : {};
}

/**
 * What may leave the machine from a running proxy.
 *
 * @param stats Body of its `/stats`.
 * @returns `undefined` where it does not say so.
 */
export function runningChannels(
  stats: Facts,
): readonly EgressChannel[] | undefined {
  const otel = memberOf(stats, "otel");
  const beacon = memberOf(stats, "beacon");
  if (otel["enabled"] === undefined || beacon["enabled"] === undefined) {
    return undefined;
  }
  // What goes to its own terminal does not leave.
  const metrics = otel["exporter"] === "console"
    ? { ...otel, enabled: false, reason: "they go to its stderr" }
    : otel;
  return [
    channel("beacon", beacon),
    channel("metrics", metrics),
    channel("traces", memberOf(otel, "traces")),
    channel("update check", memberOf(beacon, "update_check")),
  ];
}

function channel(name: string, facts: Facts): EgressChannel {
  const { enabled, reason, endpoint, error } = facts;
  const isOn = enabled === true;
  const state = typeof reason === "string"
    ? reason
    : isOn
    ? "its settings say so"
    : "its settings do not ask for it";
  return {
    name,
    enabled: isOn,
    reason: isOn && typeof error === "string"
      ? `${state}; it fails at present: ${error}`
      : state,
    endpoint: isOn && typeof endpoint === "string" ? endpoint : null,
  };
}

/** Names of the channels that are on in one of two lists only, or lead elsewhere. */
export function differingChannels(
  a: readonly EgressChannel[],
  b: readonly EgressChannel[],
): readonly string[] {
  return a.filter(({ name, enabled, endpoint }) => {
    const other = b.find((channel) => channel.name === name);
    const isOn = other?.enabled ?? false;
    return isOn !== enabled || (enabled && other?.endpoint !== endpoint);
  }).map(({ name }) => name);
}

/** The object that a server answered; `undefined` for anything else. */
function factsOf(answer: ServerAnswer | undefined): Facts | undefined {
  const value = parseJson(answer?.text ?? "");
  return isJsonObject(value) ? value : undefined;
}

/** Milliseconds for its answer. */
const TIMEOUT_MS = 1000;

/**
 * Whether the proxy that answers at an address was started by a supervisor, which starts it again. One that does not
 * answer now counts as none.
 *
 * @param base Base URL of the proxy, without a slash at its end.
 */
export async function isServiceInstalled(
  base: string,
  io: Pick<CliIo, "ask">,
): Promise<boolean> {
  const answer = await io.ask(new URL("/health", base), TIMEOUT_MS);
  const health = factsOf(answer) ?? {};
  const { supervisor } = memberOf(health, "deployment");
  return health["service"] === "svc-proxy" && typeof supervisor === "string" &&
    !["", "none"].includes(supervisor);
}
