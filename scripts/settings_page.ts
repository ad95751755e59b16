/** The page of all settings, from their rows. @module */
import { defaultOf, keyOf } from "../src/settings/fields.ts";
import { NEEDS_RESTART } from "../src/settings/fixed.ts";
import { PATH_VARIABLES } from "../src/settings/paths.ts";
import { type FeatureRow, FEATURES } from "../src/settings/rollout.ts";
import { GROUPS, type SettingRow } from "../src/settings/row.ts";
import { groupOf, orderedRows } from "../src/settings/schema.ts";

const HEAD = `# Settings

Written by \`deno run -A scripts/gen_settings_docs.ts\` from the rows in \`src/settings/\`.

A flag of \`svc proxy\` wins over a variable, a variable over the settings file, that over the default. An empty
variable counts as not set. Switches take \`true\`, \`1\`, \`yes\`, \`on\` and \`false\`, \`0\`, \`no\`, \`off\`.
\`svc config list\` shows every value and where it comes from.

A flag or a variable that cannot be used ends the proxy with a message that names it. Variables that begin with
\`SVC_\` and are not here give a warning.

## The settings file

\`settings.json\` in the workspace, or the file that \`SVC_SETTINGS_PATH\` names: a JSON object such as
\`{"budget": 10}\`. It is read at the start and again on \`SIGHUP\` or \`POST /settings/apply\`.

- Settings are named by their keys; variables are read too. \`svc config set\`, \`svc config unset\`, the dashboard and
  \`POST /settings\` write keys, in the order of the alphabet. Where both names have different values, the first counts
  and the second gives a warning.
- Values are numbers, \`true\`, \`false\` and texts; lists may be JSON lists, header fields a JSON object. \`null\` and
  an empty text mean "not set".
- It is replaced as a whole and readable by its owner only. Two programs that change it at the same time wait for each
  other: \`settings.json.lock\` beside it holds nothing. Names that this version does not know stay in it.
- A missing file is an empty one. One that is no JSON object, an unknown name and a value that cannot be used give a
  warning; at the start the rest counts. A proxy that reads the file again takes names that it does not know with a
  warning, too, but changes nothing where the file is no JSON object or has a value that cannot be used: a mistake must
  not end a budget or a limit that is in force. It says so on stderr, and in the answer to \`POST /settings/apply\`.
- Secrets stand in it as plain text; nothing ever shows them.
- A secret that is sent back as it was shown, six bullets, stays as it was.

Settings marked with \\* come from the environment or the command line only. ⟳ marks what a running proxy takes over
with its next start; it takes over all others at once when it reads the file again.
`;

/** The page as Markdown. */
export function settingsPage(): string {
  const rows = orderedRows();
  const here = rows.filter(({ available }) => available !== false);
  const planned = rows.filter(({ available }) => available === false);
  return [
    HEAD,
    ...GROUPS.flatMap((group) => {
      const found = here.filter((row) => groupOf(row) === group);
      return found.length === 0 ? [] : [section(group, found)];
    }),
    features(),
    files(),
    section("Not in this version", planned, NOT_HERE),
  ].join("\n");
}

const NOT_HERE =
  `Names of features that are not built yet. Their defaults can be set, as they say nothing; any other value is refused
with "not in this version" on the command line, in the settings file and by \`svc config set\`, and gives a warning in
the environment.
`;

function section(
  title: string,
  rows: readonly SettingRow<unknown>[],
  text?: string,
): string {
  const lines = rows.map((row) =>
    tableRow([
      variablesOf(row),
      code(keyOf(row)) + marksOf(row),
      flagsOf(row),
      fallbackOf(row),
      row.doc,
    ])
  );
  return table(title, lines, text);
}

function marksOf(row: SettingRow<unknown>): string {
  const only = row.persisted === false ? " \\*" : "";
  return only + (NEEDS_RESTART.has(row.env) ? " ⟳" : "");
}

function features(): string {
  const named = (available: boolean) =>
    Object.entries(FEATURES as Readonly<Record<string, FeatureRow>>)
      .filter(([, row]) => (row.available !== false) === available)
      .map(([name, { channel }]) => `${code(name)} (${channel})`).join(", ");
  return `Features of this version: ${
    named(true)
  }. Each has a setting of its own; \`SVC_DISABLE_FEATURES\` turns it off
whatever that says. A feature that \`SVC_FEATURES\` names and that is too new for the channel stays off, with a
warning, unless \`SVC_UNSAFE_ALLOW_UNSTABLE_FEATURES\` is on.

Not in this version: ${named(false)}.
`;
}

function files(): string {
  return table(
    "Files",
    PATH_VARIABLES.map(({ env, fallback, doc }) =>
      tableRow([code(env), "", "", code(fallback), doc])
    ),
  );
}

function table(
  title: string,
  lines: readonly string[],
  text?: string,
): string {
  return [
    `## ${title}\n`,
    ...text === undefined ? [] : [text],
    tableRow(["Variable", "Key", "Flag", "Default", "Meaning"]),
    tableRow(["---", "---", "---", "---", "---"]),
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
  const flags = [row.flag, ...row.flagAliases ?? []];
  if (row.fallback !== true) {
    return flags.map((flag) => code(`--${flag}`)).join(", ");
  }
  return flags.map((flag) =>
    `${code(`--${flag}`)} turns it ${flag.startsWith("no-") ? "off" : "on"}`
  ).join(", ");
}

function fallbackOf(row: SettingRow<unknown>): string {
  const fallback = defaultOf(row);
  if (fallback === null || fallback === "") return "none";
  if (typeof fallback !== "boolean") return code(String(fallback));
  return fallback ? "on" : "off";
}

function code(text: string): string {
  return `\`${text}\``;
}
