/** `svc config`: look at the settings, and change those that are stored. @module */
import { orUsage } from "../failure.ts";
import { lineWidth, print, warn } from "../terminal.ts";
import { type Define, subcommandsOf } from "./options.ts";
import { runSet, runUnset } from "../config/change.ts";
import { known, reachSettings, settingsPath } from "../config/reach.ts";
import type { CliIo } from "../io.ts";
import {
  type FeatureState,
  featureStates,
} from "../../settings/feature_states.ts";
import { keyOf } from "../../settings/fields.ts";
import { PROFILE_ROWS, PROFILES } from "../../settings/profiles.ts";
import type { SettingRow, TextValues } from "../../settings/row.ts";
import {
  fieldOf,
  orderedRows,
  type SettingField,
  type SettingValues,
} from "../../settings/schema.ts";
import { type Cells, tableOf, tableText } from "../table.ts";

/** Adds the subcommands to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  const add = subcommandsOf(command, EXAMPLES_OF);
  add("list", "list all settings, their values and where they come from")
    .option("--all", "also settings of features that are not in this version")
    .option("--json", "as JSON")
    .action(({ all = false, json = false }) => runList(all, json, io));
  add("get", "print the value of one setting")
    .argument("<name>", "e.g. rpm or SVC_RPM")
    .option("--json", "with all that is known about it, as JSON")
    .action((name, { json = false }) => runGet(name, json, io));
  add("set", "store a value")
    .argument("<name>", "e.g. rpm or SVC_RPM")
    .argument("<value>", "the value; - reads it from standard input")
    .action((name, value) => runSet(name, value, io));
  add("unset", "remove settings from the file")
    .argument("<names...>", "settings to remove from the file")
    .action((names) => runUnset(names, io));
  add("profiles", "list the savings profiles and what each sets")
    .action(() => runProfiles(io));
  add("features", "list all features, whether each is on, and why")
    .option("--json", "as JSON")
    .action(({ json = false }) => runFeatures(json, io));
  add("path", "print where the settings file is").action(() => {
    print(io, `${settingsPath(io)}\n`);
  });
};

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc config list                 every setting, its value and its source
  svc config set rpm 60           store one; a running proxy uses it after SIGHUP
  svc config unset rpm            remove it again
`;

/** Begin the help pages of the commands. */
const EXAMPLES_OF = {
  list: `Examples:
  svc config list                 as a table
  svc config list --json          for programs
`,
  get: `Examples:
  svc config get mode             value on stdout, its source on stderr
`,
  set: `Examples:
  svc config set mode token
  svc config set proxy_token - < token.txt    keeps a secret out of the history
`,
  unset: `Examples:
  svc config unset rpm budget
`,
  profiles: `Examples:
  svc config profiles
  svc config set savings_profile balanced
`,
  features: `Examples:
  svc config features             as a table
  svc config features --json      for programs
`,
  path: `Examples:
  $EDITOR "$(svc config path)"
`,
} as const;

/** Ends the help page. */
export const NOTES = `
A flag of svc proxy overrides an environment variable, which overrides the
settings file, which overrides the default.
Exit codes: 0 done, 1 the file cannot be written, 2 no such setting, or a value
that it does not accept.
`;

const PROFILE = PROFILE_ROWS.savingsProfile;
const FEATURE_COLUMNS: readonly Cells<FeatureState>[] = [
  { heading: "FEATURE", cell: ({ name }) => name },
  { heading: "CHANNEL", cell: ({ channel }) => channel },
  { heading: "STATE", cell: ({ state }) => state },
  { heading: "WHY", least: 8, cell: ({ why }) => why },
];

/**
 * Prints every setting with the value that a proxy would have and where it comes from.
 * @param all Also settings of features that this version does not have.
 */
async function runList(
  all: boolean,
  json: boolean,
  io: CliIo,
): Promise<void> {
  const { file, values } = await reachSettings(io);
  const rows = orderedRows().filter((row) => all || row.available !== false);
  if (json) {
    const settings = rows.map((row) => plain(row, values));
    const report = { path: file.path, settings };
    return print(io, `${JSON.stringify(report, null, 2)}\n`);
  }
  const columns: readonly Cells<SettingRow<unknown>>[] = [
    { heading: "SETTING", cell: ({ key }) => key },
    {
      ...{ heading: "VALUE", least: 8 },
      cell: (row) => oneLine(valueText(fieldOf(row, values).value)),
    },
    { heading: "FROM", least: 8, cell: (row) => fromText(row, values) },
  ];
  print(io, tableOf(columns, rows, lineWidth(io)));
}

/** Prints what each profile sets. */
function runProfiles(io: CliIo): void {
  const rows = Object.entries<TextValues>(PROFILES).map(([name, values]) => [
    name,
    Object.entries(values).map(([env, text]) => `${env}=${text}`).join(" ") ||
    "-",
  ]);
  const columns = [{ heading: "PROFILE" }, { heading: "SETS" }];
  print(io, tableText(columns, rows, lineWidth(io)));
  print(
    io,
    "\nChoose one with svc config set savings_profile <name>, --profile or SVC_SAVINGS_PROFILE. Settings set explicitly take precedence.\n",
  );
}

/** Prints every feature as a proxy would have it that is started now, without flags. */
async function runFeatures(json: boolean, io: CliIo): Promise<void> {
  const { values: { stored } } = await reachSettings(io);
  const { features, warnings } = orUsage(() =>
    featureStates({ env: io.env, stored })
  );
  warn(io, warnings);
  if (json) return print(io, `${JSON.stringify({ features }, null, 2)}\n`);
  print(io, tableOf(FEATURE_COLUMNS, features, lineWidth(io)));
}

/**
 * Prints the value of one setting; on stderr, where it comes from.
 * @throws {CliFailure} If there is no such setting in this version.
 */
async function runGet(
  name: string,
  json: boolean,
  io: CliIo,
): Promise<void> {
  const row = known(name);
  const { values } = await reachSettings(io);
  const field = fieldOf(row, values);
  if (json) {
    return print(io, `${JSON.stringify(plain(row, values), null, 2)}\n`);
  }
  print(io, `${valueText(field.value)}\n`);
  io.stderr(`${field.key} comes from ${fromWords(row, values)}\n`);
}

/** A setting for programs. */
function plain(
  row: SettingRow<unknown>,
  values: SettingValues,
): SettingField & {
  readonly persisted: boolean;
  readonly given_as: string | null;
} {
  const given = values.given[row.env];
  return {
    ...fieldOf(row, values),
    persisted: row.persisted ?? true,
    given_as: given?.source === "file" ? keyOf(row) : given?.name ?? null,
  };
}

function fromText(row: SettingRow<unknown>, { given }: SettingValues): string {
  if (row.available === false) return "not in this version";
  const now = given[row.env];
  if (now === undefined) return "default";
  return now.source === "shell" ? `shell: ${now.name}` : now.source;
}

function fromWords(row: SettingRow<unknown>, values: SettingValues): string {
  const now = values.given[row.env];
  if (now === undefined) return "the default";
  if (now.source === "profile") {
    return `the profile ${String(values.given[PROFILE.env]?.raw)}`;
  }
  return now.source === "shell"
    ? `the variable ${now.name}`
    : `the settings file, as ${keyOf(row)}`;
}

function valueText(value: unknown): string {
  return value === null ? "-" : String(value);
}

function oneLine(text: string): string {
  return text.replace(/\p{C}/gu, " ");
}
