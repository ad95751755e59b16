/** Log records as sentences on stderr. @module */
import { resolve } from "node:path";
import { databaseAdvice } from "./failure.ts";
import { moneyText } from "../core/money.ts";
import type { Log } from "../core/log.ts";
import type { Style } from "./terminal.ts";

/** Values of a record by name. */
type LogFields = Readonly<Record<string, string | number | boolean>>;

/** What a record means: `{name}` stands for its field of that name, `{file name}` for that as an absolute path. */
type Sentence = string | ((fields: LogFields) => string);

/** By slug. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  ccr_store_unavailable: ({ path, reason }) =>
    `Cannot use the database ${absolute(path)} (${reason}). Originals and ` +
    "what was sent for them are kept in memory only, until the proxy stops" +
    databaseAdvice(
      String(reason),
      "Set SVC_WORKSPACE_DIR to a directory that you can write to, or " +
        "SVC_CCR_BACKEND=memory if memory is enough",
    ),
  ccr_store_read_only:
    "Cannot write to the database {file path}: {reason}. Nothing new can be kept, so a proxy leaves nothing more out of requests. Run the newer version, or set SVC_WORKSPACE_DIR to another directory",
  ledger_unavailable: ({ path, reason }) =>
    `Cannot use the database ${absolute(path)} (${reason}). Requests and ` +
    "their costs are counted in memory only, until the proxy stops" +
    databaseAdvice(
      String(reason),
      "Set SVC_WORKSPACE_DIR to a directory that you can write to",
    ),
  cache_lives_unavailable: ({ path, reason }) =>
    `Lifetimes of prompt caches are not learned, or not kept${
      path === "" ? "" : ` in ${path}`
    }: ${reason}`,
  savings_file_failed:
    "Cannot write the savings to {file path}: {reason}. They are still counted",
  savings_file_put_aside:
    "{file path} was not written by svc: moved to {file aside}",
  ccr_retrieval_uncounted:
    "Cannot count the retrieval: {reason}. The original was given back",
  ccr_store_expire_failed:
    "Cannot remove an expired original from the database: {reason}. It is not given back any more, and removed later",
  ccr_store_sweep_failed:
    "Cannot clear old originals away: {reason}. Requests go on; it is tried again with the next ones. svc doctor checks the database",
  ccr_store_writer_failed:
    "Cannot start what writes originals: {reason}. Until it starts, nothing more is left out of requests; it is tried again with the next one",
  ccr_touch_failed:
    "Cannot note that originals are in use: {reason}. They may expire earlier than SVC_CCR_TTL_SECONDS says. svc doctor checks the database",
  ccr_activity_failed:
    "Cannot note that a conversation goes on: {reason}. Its originals may expire earlier than SVC_CCR_TTL_SECONDS says. svc doctor checks the database",
  ledger_writer_failed:
    "Cannot start what writes the ledger: {reason}. Requests go on and are kept in memory meanwhile; it is tried again with the next one",
  ledger_sweep_failed:
    "Cannot remove old requests from the ledger: {reason}. It grows meanwhile; it is tried again. svc doctor checks the database",
  ledger_write_failed: ({ reason }) =>
    `Cannot write to the ledger: ${reason}. Requests go on and are kept in ` +
    "memory; they are written with the next one that can be" +
    databaseAdvice(String(reason), "svc doctor checks the database"),
  ledger_rows_lost: ({ rows, waiting }) =>
    rows === undefined
      ? `The ledger could not be written for so long that the oldest of ` +
        `${waiting} waiting entries are given up: these requests are missing ` +
        "from svc savings, log and perf. svc doctor says what is wrong"
      : `${rows} ${rows === 1 ? "entry" : "entries"} of the ledger could not ` +
        "be written before the end and are lost: these requests are missing " +
        "from svc savings, log and perf. svc doctor says what is wrong",
  ledger_slow:
    "The ledger did not answer in time: {reason}. The figures of /stats are those of a moment ago; requests go on. A slow or full disk does this",
  ledger_read_failed:
    "Cannot read the ledger: {reason}. Figures are the last known ones; requests go on. svc doctor checks the database",
  ledger_not_left:
    "Cannot take this process off the ledger's list: {reason}. Others count what it held for another minute",
  ledger_no_beat:
    "Cannot tell the other processes that this one lives: {reason}. They may give away what it has reserved; it is tried again",
  budget_unavailable:
    "Cannot look at the shared budget: {reason}. This process goes by what it knows itself until the ledger answers again",
  limits_unavailable:
    "Cannot look at the shared limits: {reason}. This process keeps its own until the ledger answers again",
  proxy_log_unavailable:
    "Cannot write the log {file path}: {reason}. Warnings and errors are on stderr only; it is tried again once a minute. Set SVC_WORKSPACE_DIR to a directory that you can write to",
  request_log_unavailable:
    "Cannot write the request log {file path}: {reason}. Its lines are lost, requests go on. Set SVC_LOG_FILE to a file that you can write to",
  request_log_lines_lost:
    "{count} lines of the request log {file path} are lost: the disk could not take them",
  debug_400_unavailable:
    "Cannot write refused requests to {file path}: {reason}",
  update_available:
    "Version {latest} is out, this is {version}. SVC_UPDATE_CHECK=off ends these notes",
  otel_points_rejected: ({ signal, rejected, reason }) =>
    rejected === 0
      ? `The collector warns about the exported ${signal}: ${reason}`
      : `The collector did not take ${rejected} of the exported ${signal}: ` +
        `${reason}. A backend that wants deltas needs ` +
        "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta",
  otel_export_failed:
    "Cannot export {signal}: {reason}. Check the endpoint and the headers of the export; it is tried again",
  otel_export_recovered: "The export of {signal} works again",
  otel_setting_ignored:
    "{name} has a value that cannot be used and is ignored: must be {allowed}",
  install_id_not_kept:
    "Cannot keep the id of this installation in {file path}: {reason}. Reports of this process have an id of their own",
  session_stats_not_written:
    "Cannot write session_stats.jsonl: {reason}. What the MCP tools do is counted in memory only, until this process ends",
  requests_cut_off: ({ count, seconds }) =>
    `${count} ${count === 1 ? "request was" : "requests were"} still running ` +
    `${seconds} s after the stop, and cut off`,
  worker_died:
    "Process {slot} of the proxy has gone: {reason}. Another one takes its place",
  worker_given_up:
    "Process {slot} of the proxy has gone {deaths} times soon after its start, the last time: {reason}. It is not started again",
  worker_not_ended: ({ count }) =>
    `${count} ${count === 1 ? "process" : "processes"} of the proxy did not ` +
    "end when told to, and had to be killed",
  budget_exceeded: ({ period, limit_usd, reason }) =>
    reason === "estimated"
      ? `Requests are refused: the ${period} period holds spend that the ` +
        "provider did not report, and SVC_BUDGET_ESTIMATED_BASIS is block"
      : `Requests are refused: the ${period} budget of ${
        moneyText(1e9 * Number(limit_usd))
      } is spent. ` +
        "Wait for the next period, or raise SVC_BUDGET",
  model_unknown: ({ model, context_limit, price }) =>
    model === ""
      ? "A request names no model: it is counted without a price, and its " +
        `context as ${context_limit} tokens`
      : `The model ${model} is in no list: ` +
        (price === "none"
          ? "its requests are counted without a price"
          : "its price is taken from a model with a similar name") +
        `, and its context as ${context_limit} tokens. models.json can say better`,
  cost_estimated: ({ model }) =>
    `The provider did not say what a request ${
      model === "" ? "without a model" : `to ${model}`
    } used: its cost is ` +
    "estimated from what was sent and received",
  extension_not_loaded:
    "Cannot load the extension {extension}: {reason}. The proxy goes on without it",
  extension_failed:
    "The extension {extension} failed: {reason}. Its edits of that request are left out; it is said once",
  models_not_logged:
    "{about} was logged for {models} models. It is not logged for others until the proxy starts again",
  models_file_ignored:
    "Cannot use the models in {file path}: {reason}. The file is ignored",
  base_url_override_refused:
    "A client asked for the upstream {host} and did not get it: {reason}. SVC_ALLOWED_BASE_URLS permits private ones",
  lookup_failed:
    "Cannot look up the upstream {host}: {reason} (EPERM: see --allow-net)",
  upstream_extra_headers_withheld:
    "The operator's header fields are not sent to {host}: it is no configured host. SVC_UPSTREAM_ALLOWED_HOSTS permits it",
  stage_failed: ({ stage, reason }) =>
    String(stage).startsWith("scan_")
      ? `The body of a request cannot be read (${reason}). It is sent on as ` +
        "it came, nothing of it is shortened; it is said once"
      : `A step of compression failed (${stage}: ${reason}). Requests are ` +
        "sent all the same; it is said once. Please report it",
  body_bytes_full:
    "A request was answered with 503: request bodies in work held all of {limit_bytes} bytes for too long. Raise SVC_INFLIGHT_BODY_BYTES, or send fewer large requests at once",
  upstream_failed: ({ upstream, reason }) =>
    `No whole answer came from ${upstream || "the upstream"}: ${reason}. The ` +
    "client was told so and may try again",
  web_page_refused: ({ reason, origin }) =>
    `A web page${origin ? ` of ${origin}` : ""} was refused: ${
      PAGES[String(reason)] ?? reason
    }`,
  web_pages_not_logged:
    "Refused web pages were logged for {pages} origins. They are not logged for others until the proxy starts again",
  loopback_gate_refused: ({ path, reason }) =>
    `A request to ${path} was answered as if there were no such route: ` +
    `${STRANGERS[String(reason)] ?? reason}. It is for this machine only`,
  trusted_gate_refused: ({ path, reason }) =>
    `A request to ${path} was answered as if there were no such route: ` +
    `${STRANGERS[String(reason)] ?? reason}. ` +
    "SVC_PROXY_TRUSTED_DASHBOARD_CLIENT_CIDRS lets other machines in",
  accept_failed:
    "Cannot take connections on {host}, port {port}: {reason}. It is tried again at once; too few open files (ulimit -n) do this",
  request_failed: ({ error, reason }) =>
    reason === undefined
      ? `A request could not be answered: ${error} within svc. The client ` +
        "got a 500. Please report it"
      : `Cannot read what this proxy keeps: ${reason}. The client got a 503; ` +
        "requests to providers go on. svc doctor checks the databases",
  mcp_request_refused:
    "An MCP client sent what cannot be answered ({reason}); others go on",
  original_not_kept:
    "Nothing was left out of the text, because its original cannot be kept: {reason}",
};

/** A path as a reader anywhere finds it. */
function absolute(path: LogFields[string] | undefined): string {
  return resolve(String(path));
}

/** Reasons to refuse a web page, in words. */
const PAGES: Readonly<Record<string, string>> = {
  cookie: "its request had a cookie, and svc forwards none",
  navigation: "a browser opened a provider's route as a page",
  foreign_origin: "SVC_ALLOWED_ORIGINS does not list its origin",
  foreign_host: "its name may have been pointed at this machine, and " +
    "SVC_ALLOWED_ORIGINS does not list it",
};

/** Why a caller is none of this machine. */
const STRANGERS: Readonly<Record<string, string>> = {
  client_not_loopback: "it came from another machine",
  host_header_not_loopback: "its Host field names another machine",
  not_trusted: "its caller is neither this machine nor a trusted network",
};

/**
 * Says in plain words what happened, where, what follows from it and what to do.
 *
 * @param event Slug of a log record.
 * @returns One sentence or more, without a final period; `undefined` for a record without one.
 */
function sentenceOf(
  event: string,
  fields: LogFields,
): string | undefined {
  if (!Object.hasOwn(SENTENCES, event)) return undefined;
  const sentence = SENTENCES[event]!;
  if (typeof sentence === "function") return sentence(fields);
  return sentence.replace(
    /\{(file )?(\w+)\}/g,
    (_, isFile, name) => isFile ? absolute(fields[name]) : String(fields[name]),
  );
}

/**
 * Warnings and errors, one line each: a sentence and the event's slug, or for records without a sentence
 * `warn event key=value`. Other records are dropped.
 *
 * Values that could be mistaken for something else stand in quotes.
 *
 * @param write Takes whole lines with their line break.
 */
export function stderrLog(write: (line: string) => void, style: Style): Log {
  return (level, event, fields = {}) => {
    if (level === "info") return;
    const paint = level === "warn" ? style.warning : style.failure;
    const sentence = sentenceOf(event, fields);
    if (sentence !== undefined) {
      const head = level === "warn" ? "Warning:" : "Error:";
      return write(`${paint(head)} ${oneLine(sentence)} [${event}]\n`);
    }
    const parts = Object.entries(fields).map(([name, value]) =>
      `${name}=${valueText(value)}`
    );
    write([paint(level), event, ...parts].join(" ") + "\n");
  };
}

function valueText(value: string | number | boolean): string {
  const isPlain = typeof value !== "string" || /^[\w./:-]+$/.test(value);
  return isPlain ? String(value) : JSON.stringify(value);
}

/** A path or a message of the system may hold anything. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
}
