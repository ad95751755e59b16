/** What the settings page shows and sends: values as texts of controls and back. @module */

import type { SettingField, SettingsSchema } from "../src/settings/schema.ts";

/** One row of `GET /settings/schema`. */
export type Field = SettingField;

/** What is read of `GET /settings/schema`. */
export type Schema = Pick<SettingsSchema, "groups" | "fields">;

/** What the user made of a field: a text, or `null` for "as if it was never set". */
export type Draft = string | null;

/** Drafts by key; fields that nobody touched are not in it. */
export type Drafts = Readonly<Record<string, Draft>>;

/** Why a field cannot be changed here; `undefined` when it can. */
export function lockOf(field: Field): string | undefined {
  if (!field.available) return "Not in this version";
  if (field.source === "shell") return `Set by the environment (${field.env})`;
  return field.source === "flag" ? "Set on the command line" : undefined;
}

/** A JSON value as the text of its control. Empty for none. */
export function textOf(value: unknown): string {
  if (!isSet(value)) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The text of a field's control before anybody touches it: what is stored, else what holds without it. */
export function initialText(field: Field): string {
  if (lockOf(field) !== undefined) return textOf(field.value);
  return textOf(isSet(field.stored) ? field.stored : field.default);
}

/** Whether something is stored for it. */
export function isStored(field: Field): boolean {
  return isSet(field.stored);
}

/** Whether what is stored is not in force yet. */
export function isWaiting(field: Field): boolean {
  return lockOf(field) === undefined &&
    textOf(field.value) !== initialText(field);
}

/** When a change of a field that can be changed here is in force: what is stored is read on demand, or at a start. */
export function waitsFor(field: Field): "apply" | "start" {
  return field.needs_restart ? "start" : "apply";
}

/** Drafts that would change something, as the values to send. */
export function changedValues(
  fields: readonly Field[],
  drafts: Drafts,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const field of fields) {
    const draft = drafts[field.key];
    if (draft === undefined || !isChange(field, draft)) continue;
    changed[field.key] = draft === null ? null : valueOf(field, draft);
  }
  return changed;
}

/** Whether a draft differs from what is there. */
export function isChange(field: Field, draft: Draft): boolean {
  return draft === null ? isStored(field) : draft !== initialText(field);
}

/** A text as JSON; one that is no value of its type goes as it is, and the server says what is wrong. */
function valueOf({ type }: Field, text: string): unknown {
  if (text.trim() === "") return null;
  switch (type) {
    case "bool":
    case "optional-bool":
      return text === "true" ? true : text === "false" ? false : text;
    case "int":
    case "float": {
      const value = Number(text);
      return Number.isFinite(value) ? value : text;
    }
    default:
      return text;
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
