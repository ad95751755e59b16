/** Fields and buttons of forms, so that a reader can fill them in. @module */
import { attributeOf, type Page, plainTextOf, textOf } from "./page.ts";
import { clipped, counted, grouped } from "./text_size.ts";

/** Longer values are cut, and more options are counted. */
const LONGEST_VALUE = 200;
const SHOWN_OF_LONG = 60;
const MOST_OPTIONS = 60;
const OPTIONS_AT_START = 30;

/** Elements that {@linkcode fieldText} writes. */
export const FIELD_TAGS: ReadonlySet<string> = new Set(
  ["input", "select", "textarea", "button"],
);

/** `[email address: placeholder="you@…", required]`, `[button: Save]`; empty for a button without any name. O(nodes). */
export function fieldText(page: Page, node: number): string {
  const tag = page.tags[node]!;
  if (tag === "select") return selectText(page, node);
  if (tag === "textarea") {
    const text = textOf(page, node).trim();
    return bracket(`textarea ${nameOf(page, node)}`, [
      ...quoted("value", text),
      ...stated(page, node),
    ]);
  }
  if (tag === "button") return buttonText(page, node, plainTextOf(page, node));
  return inputText(page, node);
}

/** `[form POST /login]`; empty for a form that sends to its own page by GET. */
export function formText(page: Page, node: number): string {
  const action = attributeOf(page, node, "action");
  const method = attributeOf(page, node, "method")?.toUpperCase() ?? "GET";
  if (!action && method === "GET") return "";
  return `[form ${method}${action ? ` ${shortValue(action)}` : ""}]`;
}

/** The name a field is sent under, or its id. */
export function nameOf(page: Page, node: number): string {
  const name = attributeOf(page, node, "name");
  if (name) return name;
  const id = attributeOf(page, node, "id");
  return id ? `#${id}` : attributeOf(page, node, "aria-label") ?? "";
}

function inputText(page: Page, node: number): string {
  const type = attributeOf(page, node, "type")?.toLowerCase() || "text";
  const value = attributeOf(page, node, "value") ?? "";
  if (
    type === "submit" || type === "button" || type === "reset" ||
    type === "image"
  ) {
    return buttonText(
      page,
      node,
      value || attributeOf(page, node, "alt") || type,
    );
  }
  return bracket(`${type} ${nameOf(page, node)}`, [
    ...quoted("value", value),
    ...stated(page, node),
  ]);
}

function buttonText(page: Page, node: number, label: string): string {
  const said = label || attributeOf(page, node, "aria-label") ||
    attributeOf(page, node, "title") || attributeOf(page, node, "value") || "";
  if (said === "") return "";
  const name = attributeOf(page, node, "name");
  const off = attributeOf(page, node, "disabled") === undefined
    ? ""
    : " (disabled)";
  const sent = name ? ` ${name}=${attributeOf(page, node, "value") ?? ""}` : "";
  return `[button${sent}: ${clipped(said, LONGEST_VALUE)}${off}]`;
}

function selectText(page: Page, node: number): string {
  const options: string[] = [];
  for (let i = node + 1; i < page.ends[node]!; i++) {
    if (page.tags[i] === "option") options.push(optionText(page, i));
  }
  const chosen = options.findIndex((text) => text.endsWith(" (selected)"));
  const shown = options.length <= MOST_OPTIONS ? options : [
    ...options.slice(0, OPTIONS_AT_START),
    ...(chosen >= OPTIONS_AT_START ? [options[chosen]!] : []),
    `… ${counted(options.length - OPTIONS_AT_START, "more option")} to ${
      options.at(-1)
    }`,
  ];
  return bracket(`select ${nameOf(page, node)}`, [
    ...(shown.length > 0 ? [shown.join(" | ")] : []),
    ...stated(page, node),
  ]);
}

function optionText(page: Page, node: number): string {
  const label = plainTextOf(page, node) ||
    (attributeOf(page, node, "label") ?? "");
  const value = attributeOf(page, node, "value");
  const chosen = attributeOf(page, node, "selected") === undefined
    ? ""
    : " (selected)";
  const said = value === undefined || value === label
    ? label
    : `${value}=${label}`;
  return clipped(said, LONGEST_VALUE) + chosen;
}

function stated(page: Page, node: number): string[] {
  const words = ["checked", "required", "disabled", "multiple"].filter((name) =>
    attributeOf(page, node, name) !== undefined
  );
  return [
    ...quoted("placeholder", attributeOf(page, node, "placeholder") ?? ""),
    ...words,
  ];
}

function quoted(name: string, value: string): string[] {
  return value === "" ? [] : [`${name}="${shortValue(value)}"`];
}

function shortValue(raw: string): string {
  const value = raw.replace(/\r?\n/g, "\\n");
  return value.length <= LONGEST_VALUE
    ? value
    : `${clipped(value, SHOWN_OF_LONG)} (${grouped(value.length)} characters)`;
}

function bracket(head: string, parts: readonly string[]): string {
  const said = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
  return `[${head.trim()}${said}]`;
}
