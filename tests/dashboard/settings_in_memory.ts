/** The real settings behind the page, with a file that is in memory. */
import {
  isWaiting,
  type Schema,
  textOf,
} from "../../dashboard/settings_form.ts";
import { keyOf } from "../../src/settings/fields.ts";
import { settings } from "../../src/proxy/handlers/settings.ts";
import { type Given, givenFor } from "../../src/settings/given.ts";
import { ROWS } from "../../src/settings/registry.ts";
import type { TextValues } from "../../src/settings/row.ts";
import { schemaOf } from "../../src/settings/schema.ts";
import { makeSettingsStore } from "../../src/settings/store.ts";

/** What was in the file when the proxy started: the mode was stored later. */
const AT_START: TextValues = {
  SVC_BUDGET: "40",
  MSG_TARGET_API_HEADERS: '{"x-key":"k-123"}',
};
const IN_FILE: TextValues = { ...AT_START, SVC_MODE: "token" };

/** What is in force with this much stored. */
function givenWith(stored: TextValues): Record<string, Given> {
  const sources = {
    env: { SVC_PORT: "8787" },
    flags: { stateless: "false" },
    stored,
  };
  return Object.fromEntries(
    ROWS.flatMap((row) => {
      const given = givenFor(row, sources);
      return given === undefined ? [] : [[row.env, given] as const];
    }),
  );
}

/** Every setting, with values from everywhere. */
export function someSchema(): Schema {
  return schemaOf({ given: givenWith(AT_START), stored: IN_FILE });
}

/** Settings that can be read and changed. */
export interface SettingsInMemory extends ReturnType<typeof settings> {
  /** What is in the file. */
  readonly stored: () => Readonly<Record<string, unknown>>;
}

/** The content of the file by variable. */
function storedTexts(text: string): TextValues {
  const values: Readonly<Record<string, unknown>> = JSON.parse(text);
  return Object.fromEntries(
    ROWS.filter((row) => Object.hasOwn(values, keyOf(row)))
      .map((row) => [row.env, textOf(values[keyOf(row)])]),
  );
}

/** Makes them. */
export function settingsInMemory(): SettingsInMemory {
  let text = JSON.stringify({
    budget: 40,
    mode: "token",
    anthropic_extra_headers: { "x-key": "k-123" },
  });
  const given = givenWith(AT_START);
  const storage = makeSettingsStore({
    file: {
      path: "settings.json",
      read: () => Promise.resolve(text),
      update: (change) => {
        text = change(text).after ?? text;
        return Promise.resolve();
      },
    },
    given,
    check: () => {},
  });
  const handlers = settings({
    storage,
    apply: () => {
      const { fields } = schemaOf({ given, stored: storedTexts(text) });
      const different = fields.filter(isWaiting);
      const applied = different.filter((field) => !field.needs_restart);
      for (const { env, stored } of applied) {
        given[env] = { name: env, raw: textOf(stored), source: "file" };
      }
      return Promise.resolve({
        type: "applied",
        applied: applied.map(({ key }) => key),
        needsRestart: different.filter((field) => field.needs_restart)
          .map(({ key }) => key),
      });
    },
  });
  return { ...handlers, stored: () => JSON.parse(text) };
}
