/** `svc telemetry`: what may leave the machine, and what the beacon would report. @module */
import type { Command } from "@commander-js/extra-typings";
import { startSettings } from "../proxy_settings.ts";
import type { CliIo, EgressChannel, TelemetryPreview } from "../io.ts";

/** Which part of it is printed. */
type Part = "all" | "list" | "show";

/** Adds the subcommands to the command. `done` takes the exit code. */
export function defineTelemetry(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  const run = async (part: Part, json: boolean) => {
    const preview = await previewOf(io);
    const text = json ? asJson(part, preview) : asText(part, preview);
    io.stdout(new TextEncoder().encode(text));
    done(0);
  };
  command.addHelpText("before", EXAMPLES)
    .showHelpAfterError("(svc telemetry --help lists the commands)")
    .option("--json", "as JSON")
    .action(({ json = false }) => run("all", json));
  command.command("list")
    .description("say what may leave the machine, and what decides it")
    .option("--json", "as JSON")
    .action((_, self) => run("list", isJson(self.optsWithGlobals())));
  command.command("show")
    .description("print the report of the last session, as it would be sent")
    .option("--json", "on one line")
    .action((_, self) => run("show", isJson(self.optsWithGlobals())));
}

const EXAMPLES = `Examples:
  svc telemetry               what may leave the machine, and the report of the beacon
  svc telemetry list          the first part only
  svc telemetry show | jq .   the report only: JSON, exactly as it would be sent
Nothing is sent by this command.

`;

/** The option may stand before or behind the subcommand. */
function isJson(options: { readonly json?: boolean | undefined }): boolean {
  return options.json === true;
}

async function previewOf(io: CliIo): Promise<TelemetryPreview> {
  const { config } = await startSettings({}, io);
  const ledger = config.paths && await io.openLedger(config.paths.ledger);
  try {
    return await io.previewTelemetry(config, ledger?.reader);
  } finally {
    ledger?.close();
  }
}

function asJson(
  part: Part,
  { channels, turns, payload }: TelemetryPreview,
): string {
  const data = part === "list"
    ? { channels }
    : part === "show"
    ? payload
    : { channels, beacon: { session_turns: turns, payload } };
  return `${JSON.stringify(data)}\n`;
}

function asText(
  part: Part,
  { channels, turns, payload }: TelemetryPreview,
): string {
  const report = `${jsonText(payload)}\n`;
  if (part === "show") return report;
  const list = "Beside the requests of your clients to their providers, " +
    `this may leave the machine:\n${rows(channels)}`;
  if (part === "list") return list;
  const isOn = channels.some(({ name, enabled }) =>
    name === "beacon" && enabled
  );
  return `${list}\nThe beacon ${isOn ? "reports" : "would report"} ` +
    `${sessionText(turns)}, to <endpoint>/v1/logs:\n${report}`;
}

/** Characters of a line of JSON. */
const WIDTH = 100;

/** JSON with what fits on one line: a report is hundreds of small pairs. */
function jsonText(value: unknown, indent = ""): string {
  const line = JSON.stringify(value);
  const isShort = indent.length + line.length <= WIDTH;
  if (isShort || typeof value !== "object" || value === null) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, deeper))
    : Object.entries(value).map(([key, item]) =>
      `${JSON.stringify(key)}: ${jsonText(item, deeper)}`
    );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${deeper}${parts.join(`,\n${deeper}`)}\n${indent}${close}`;
}

function sessionText(turns: number): string {
  if (turns === 0) return "an empty session, since there was none yet";
  return `the last session, of ${turns} ${
    turns === 1 ? "request" : "requests"
  }`;
}

/** Name, whether it is on, where to or why not. */
function rows(channels: readonly EgressChannel[]): string {
  const width = Math.max(0, ...channels.map(({ name }) => name.length));
  return channels.map(({ name, enabled, reason, endpoint }) => {
    const state = enabled ? `on   to ${endpoint}: ` : "off  ";
    return `  ${name.padEnd(width)}  ${state}${reason}\n`;
  }).join("");
}
