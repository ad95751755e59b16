/** What `svc proxy` says when it has started. @module */
import { resolve } from "node:path";
import type { Budget, EstimatedBasis } from "../core/cost.ts";
import type { Config } from "../settings/resolve.ts";
import { VERSION } from "../version.ts";
import type { EgressChannel, RunningProxy } from "./io.ts";
import { calledHost, portFlag, proxyUrl } from "./running_proxy.ts";
import { type Fact, factsText } from "./table.ts";
import type { Style } from "./terminal.ts";

/** Nano-dollars in a dollar. */
const NANO = 1e9;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** What is said of besides the configuration. */
export interface StartFacts {
  /** The running proxy. */
  readonly proxy: Pick<
    RunningProxy,
    | "port"
    | "storeBackend"
    | "ledgerBackend"
    | "extensions"
    | "processes"
    | "confined"
  >;
  /** What may leave the machine beside the clients' requests. */
  readonly egress: readonly EgressChannel[];
}

/**
 * Where the proxy listens, where it sends, what it keeps, and how a client is pointed at it.
 *
 * @returns Lines, each with a newline at its end.
 */
export function startLines(
  config: Config,
  { proxy, egress }: StartFacts,
  style: Style,
): string {
  const url = proxyUrl({ host: config.host, port: proxy.port });
  const warnings = [
    ...config.warnings,
    ...exposed(config),
    ...fewer(config, proxy),
  ];
  const fit = { indent: "  " };
  return [
    ...warnings.map((text) => `${style.warning("Warning:")} ${text}\n`),
    style.strong(`svc ${VERSION} listens on ${listenText(config, url)}`),
    ` (${modeText(config)})\n`,
    factsText([
      ...configFacts(config, proxy),
      ["reports", egressText(egress)],
      ["dashboard", `${url}/dashboard`],
    ], fit),
    "Point a client at it:\n",
    factsText([
      [
        "Agents",
        `svc wrap claude${portFlag(proxy.port)}; svc wrap --help lists all`,
      ],
      ["Claude Code", `ANTHROPIC_BASE_URL=${url} claude`],
      ["Anthropic SDK", `ANTHROPIC_BASE_URL=${url}`],
      ["OpenAI SDK", `OPENAI_BASE_URL=${url}/v1`],
      ["Codex", `codex -c 'openai_base_url="${url}/v1"'`],
    ], fit),
    `${style.faint("Ctrl-C stops it.")}\n`,
  ].join("");
}

/** Where it sends, what it keeps, what bounds it, and whose code may change what is sent. */
function configFacts(config: Config, proxy: StartFacts["proxy"]): Fact[] {
  const { upstreams, transport: { httpProxy }, logs, paths } = config;
  const { processes, extensions, confined } = proxy;
  return [
    ["messages go to", upstreams.messages],
    ["chat and responses", upstreams.chat],
    ["vertex", upstreams.vertex],
    ["foundry", upstreams.foundry],
    // Without the user and password that may stand in it.
    ["through", httpProxy && new URL(httpProxy).origin],
    ["files", filesText(config, proxy)],
    [
      "log",
      logs.proxyLog === undefined
        ? "stderr only, warnings and errors: there is no file that it may be written to"
        : resolve(logs.proxyLog),
    ],
    ["request log", requestLogText(config)],
    [
      "refused requests",
      logs.debug400 && paths && `${resolve(paths.debugDumps)}, masked`,
    ],
    ["processes", processes > 1 && `${processes}`],
    ["budget", config.budget && budgetText(config.budget)],
    ["token", config.trust.token && "callers from other machines need it"],
    ["extensions", extensions?.join(", ")],
    ["confined", confined],
  ];
}

/** A proxy that every network of the machine reaches should not look like one that only its own does. */
function listenText({ host }: Config, url: string): string {
  return calledHost(host) !== host
    ? `all addresses, port ${new URL(url).port}; here ${url}`
    : url;
}

function modeText(config: Config): string {
  if (config.mode === "passthrough") return "passthrough: nothing is changed";
  const limits = config.lossless
    ? ", lossless"
    : config.ccr.enabled
    ? ""
    : ", no retrieval";
  return `${config.mode} mode${limits}`;
}

const UNCOUNTED = "requests are counted in memory only, until the proxy stops";

/** What is kept, and where it really is. */
function filesText(
  config: Config,
  { storeBackend, ledgerBackend }: StartFacts["proxy"],
): string {
  const { mode, ccr, paths, logs } = config;
  const originals = mode !== "passthrough" && ccr.enabled
    ? "originals in memory only, until the proxy stops"
    : "no originals are kept";
  if (paths === undefined) {
    const files = logs.proxyLog === undefined ? "none" : "none but the log";
    return `${files}; ${originals}`;
  }
  const isCounted = ledgerBackend === "sqlite";
  if (ccr.backend === "memory") {
    return isCounted
      ? `${resolve(paths.ledger)} (what requests cost and saved); ${originals}`
      : `${UNCOUNTED}, reason above; ${originals}`;
  }
  const kept = storeBackend === "memory"
    ? `${originals}; reason above`
    : `${resolve(paths.ccrStore)} (${databaseText(config)})`;
  return isCounted ? kept : `${kept}; ${UNCOUNTED}, reason above`;
}

/** Where requests are logged; with texts of the user's above all. */
function requestLogText({ logs }: Config): string | undefined {
  const { requestLog, messages } = logs;
  const texts = messages ? ", with the texts of requests and responses" : "";
  if (requestLog !== undefined) return resolve(requestLog) + texts;
  return messages ? `in memory only${texts}` : undefined;
}

function databaseText({ mode, ccr }: Config): string {
  if (mode === "passthrough") return "nothing new is kept";
  return ccr.enabled
    ? `originals, for ${ccr.ttlSeconds} s after their last use, and what was sent for them`
    : "what was sent for each result, to send it again; no new originals";
}

const BASIS_TEXTS: Readonly<Record<EstimatedBasis, string>> = {
  count: "estimated costs count",
  ignore: "estimated costs do not count",
  block: "an estimated cost ends it",
};

function budgetText({ limitNanoUsd, period, estimatedBasis }: Budget): string {
  const usd = limitNanoUsd / NANO;
  return `${usd} USD ${period} in UTC; ${BASIS_TEXTS[estimatedBasis]}`;
}

/** Whether only this machine reaches what listens on that address or name. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

function exposed({ host, trust }: Config): string[] {
  if (isLoopbackHost(host) || trust.token !== undefined) return [];
  return [
    `${host} is not a loopback address: every machine that reaches this port can send requests through the proxy. Use --host 127.0.0.1 to keep it to this machine, or set SVC_PROXY_TOKEN`,
  ];
}

/** What leaves the machine, said before it does. */
function egressText(egress: readonly EgressChannel[]): string {
  const going = egress.filter(({ enabled }) => enabled);
  if (going.length > 0) {
    return going.map(({ name, endpoint }) => `${name} to ${endpoint}`)
      .join(", ");
  }
  const beacon = egress.find(({ name }) => name === "beacon");
  return "nothing leaves this machine but requests" +
    (beacon === undefined ? "" : `; the beacon is off: ${beacon.reason}`);
}

/** Why there are fewer processes than were asked for. */
function fewer(
  { limits: { workers }, ccr }: Config,
  { processes, storeBackend, ledgerBackend }: StartFacts["proxy"],
): string[] {
  if (processes >= workers) return [];
  const asked = `${workers} processes were asked for`;
  if (ccr.backend === "memory") {
    return [
      `${asked}, 1 runs: they need a database that they share, and nothing is written to files`,
    ];
  }
  if (storeBackend === "memory" || ledgerBackend === "memory") {
    return [
      `${asked}, 1 runs: they need a database that they share; reason above`,
    ];
  }
  return processes === 1
    ? [
      `${asked}, 1 runs: this system does not spread the connections of a port over processes, or the others did not start`,
    ]
    : [`${asked}, ${processes} run; reason above`];
}
