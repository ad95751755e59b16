/** The page of all settings, from their rows. @module */
import { LIMIT_ROWS } from "../src/settings/limit_rows.ts";
import { PATH_VARIABLES } from "../src/settings/paths.ts";
import { SETTINGS } from "../src/settings/registry.ts";
import type { SettingRow } from "../src/settings/row.ts";
import { UPSTREAM_ROWS } from "../src/settings/upstream_rows.ts";

type Rows = Readonly<Record<string, SettingRow<unknown>>>;

const HEAD = `# Settings

Written by \`deno run -A scripts/gen_settings_docs.ts\` from the rows in \`src/settings/\`.

A flag of \`svc proxy\` wins over a variable, a variable over the settings file, that over the default. The settings
file is \`settings.json\` in the workspace: a JSON object by variable name, e.g. \`{"SVC_BUDGET": 10}\`. It is read at the
start and again on \`SIGHUP\`. An empty variable counts as not set. A value that cannot be used ends the proxy with a
message that names it; in the settings file it gives a warning. Variables that begin with \`SVC_\` and are not here give
a warning too. Switches take \`true\`, \`1\`, \`yes\`, \`on\` and \`false\`, \`0\`, \`no\`, \`off\`.
`;

/** The page as Markdown. */
export function settingsPage(): string {
  const apart = new Set<unknown>([
    ...Object.values(UPSTREAM_ROWS),
    ...Object.values(LIMIT_ROWS),
  ]);
  const general = Object.fromEntries(
    Object.entries(SETTINGS as Rows).filter(([, row]) => !apart.has(row)),
  );
  return [
    HEAD,
    section("The proxy and what it compresses", general),
    section("Upstreams", UPSTREAM_ROWS),
    section("Limits, trust and money", LIMIT_ROWS),
    files(),
  ].join("\n");
}

function section(title: string, rows: Rows): string {
  const lines = Object.values(rows).map((row) =>
    tableRow([variablesOf(row), flagsOf(row), fallbackOf(row), row.doc])
  );
  return table(title, lines);
}

function files(): string {
  return table(
    "Files",
    PATH_VARIABLES.map(({ env, fallback, doc }) =>
      tableRow([code(env), "", code(fallback), doc])
    ),
  );
}

function table(title: string, lines: readonly string[]): string {
  return [
    `## ${title}\n`,
    tableRow(["Variable", "Flag", "Default", "Meaning"]),
    tableRow(["---", "---", "---", "---"]),
    ...lines,
    "",
  ].join("\n");
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function variablesOf({ env, aliases = [] }: SettingRow<unknown>): string {
  return [env, ...aliases].map(code).join(" or ");
}

function flagsOf(row: SettingRow<unknown>): string {
  if (row.flag === undefined) return "";
  const flags = [row.flag, ...row.flagAliases ?? []].map((flag) =>
    code(`--${flag}`)
  ).join(", ");
  const isSwitchOff = row.fallback === true && row.flag.startsWith("no-");
  return isSwitchOff ? `${flags} turns it off` : flags;
}

function fallbackOf(row: SettingRow<unknown>): string {
  const { fallback } = row;
  if (fallback === undefined || Array.isArray(fallback)) return "none";
  if (typeof fallback !== "boolean") return code(String(fallback));
  // Some switches have words of their own.
  return takes(row, "on") ? (fallback ? "on" : "off") : code("enabled");
}

function takes(row: SettingRow<unknown>, raw: string): boolean {
  try {
    row.parse(raw);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function code(text: string): string {
  return `\`${text}\``;
}
