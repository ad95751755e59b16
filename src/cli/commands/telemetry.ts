/** `svc telemetry`: what may leave the machine, and what the beacon would report. @module */
import { lineWidth, print, wrapText } from "../terminal.ts";
import type { Define } from "./options.ts";
import type { Command } from "@commander-js/extra-typings";
import type { CliIo, EgressChannel, TelemetryPreview } from "../io.ts";
import { nearest } from "../../settings/nearest.ts";
import { openedLedger } from "../stores.ts";
import { startSettings } from "../proxy_settings.ts";
import {
  askProxy,
  differingChannels,
  proxyUrl,
  runningChannels,
} from "../running_proxy.ts";

/** Which part of it is printed. */
type Part = "all" | "list" | "show";

/** Adds the subcommands to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  const run = async (part: Part, json: boolean) => {
    const found = await foundBy(io, part);
    const text = json
      ? asJson(part, found)
      : asText(part, found, lineWidth(io));
    print(io, text);
  };
  command
    .showHelpAfterError("(svc telemetry --help lists the commands)")
    .usage("[options] [command]")
    .option("--json", "as JSON")
    .argument("[part]")
    .action((part, { json = false }) => {
      if (part !== undefined) refuse(part, command);
      return run("all", json);
    });
  command.command("list")
    .description("list what may leave the machine, and what controls it")
    .option("--json", "as JSON")
    .action((_, self) => run("list", isJson(self.optsWithGlobals())));
  command.command("show")
    .description("print the report of the last session, as it would be sent")
    .option("--json", "on one line")
    .action((_, self) => run("show", isJson(self.optsWithGlobals())));
};

/** As for a command that does nothing without a subcommand. */
function refuse(part: string, command: Command): never {
  const meant = nearest(part, command.commands.map((sub) => sub.name()));
  const hint = meant === undefined ? "" : `\n(Did you mean ${meant}?)`;
  command.error(`error: unknown command '${part}'${hint}`);
}

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc telemetry               what may leave the machine, and the beacon report
  svc telemetry list          only what may leave the machine
  svc telemetry show | jq .   only the report: JSON, exactly as it would be sent
`;

/** Ends the help page. */
export const NOTES = `
This command sends nothing. It uses the settings of this shell, and asks a proxy
at their address, if one runs, whether its settings differ.
`;

/** Milliseconds for an answer of a proxy that is busy. */
const ASK_MS = 2000;

/** What this shell's settings say, and what a running proxy does. */
interface Telemetry extends TelemetryPreview {
  /** Where a proxy was asked for. */
  readonly url: string;
  /** Ways of the running proxy; `undefined` where none says it. */
  readonly running: readonly EgressChannel[] | undefined;
}

/** The option may stand before or behind the subcommand. */
function isJson(options: { readonly json?: boolean | undefined }): boolean {
  return options.json === true;
}

async function foundBy(io: CliIo, part: Part): Promise<Telemetry> {
  const { config } = await startSettings({}, io);
  const path = part === "list" ? undefined : config.paths?.ledger;
  using ledger = path === undefined
    ? undefined
    : await openedLedger({ path, config }, io);
  const preview = await io.previewTelemetry(config, ledger?.reader);
  // The report is the same whoever would send it.
  const proxy = part === "show"
    ? undefined
    : await askProxy(config, io, ASK_MS);
  const running = proxy?.state === "up"
    ? runningChannels(proxy.stats)
    : undefined;
  return { ...preview, url: proxyUrl(config), running };
}

function asJson(part: Part, found: Telemetry): string {
  const { channels, turns, payload, url, running } = found;
  const list = {
    channels,
    proxy: running === undefined ? null : { url, channels: running },
  };
  const data = part === "list"
    ? list
    : part === "show"
    ? payload
    : { ...list, beacon: { session_turns: turns, payload } };
  return `${JSON.stringify(data)}\n`;
}

function asText(part: Part, found: Telemetry, width: number): string {
  const { turns, payload } = found;
  const report = `${jsonText(payload, width)}\n`;
  if (part === "show") return report;
  const list = channelsText(found, width);
  if (part === "list") return list;
  const isOn = (found.running ?? found.channels).some(({ name, enabled }) =>
    name === "beacon" && enabled
  );
  return `${list}\nThe beacon ${isOn ? "reports" : "would report"} ` +
    `${sessionText(turns)}, to <endpoint>/v1/logs:\n${report}`;
}

/** What leaves from a proxy with this shell's settings, and from the running one where that is not the same. */
function channelsText(
  { channels, running, url }: Telemetry,
  width: number,
): string {
  const say = (text: string) => `${wrapText(text, width)}\n`;
  const shell = say(
    "With the settings of this shell, this may leave the machine besides the " +
      "requests of your clients to their providers:",
  ) + rows(channels, width);
  if (running === undefined) {
    return shell +
      say(
        `No proxy answers at ${url}: one started from this shell would do so.`,
      );
  }
  const names = differingChannels(running, channels);
  return names.length === 0
    ? shell + say(`The proxy at ${url} does the same.`)
    : `${shell}\n${
      say(
        `The proxy at ${url} was started with other settings (${
          names.join(", ")
        }). From it, this may leave:`,
      )
    }${rows(running, width)}`;
}

/** JSON with what fits on one line: a report is hundreds of small pairs. */
function jsonText(value: unknown, width: number, indent = ""): string {
  const line = JSON.stringify(value);
  // A comma may follow.
  const isShort = indent.length + line.length < width;
  if (isShort || typeof value !== "object" || value === null) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, width, deeper))
    : Object.entries(value).map(([key, item]) =>
      `${JSON.stringify(key)}: ${jsonText(item, width, deeper)}`
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
function rows(channels: readonly EgressChannel[], width: number): string {
  const names = Math.max(0, ...channels.map(({ name }) => name.length));
  return channels.map(({ name, enabled, reason, endpoint }) => {
    const state = enabled ? `on   to ${endpoint}: ` : "off  ";
    const line = `  ${name.padEnd(names)}  ${state}${reason}`;
    return `${wrapText(line, width, " ".repeat(names + 9))}\n`;
  }).join("");
}
