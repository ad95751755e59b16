/** What is said before and after something is removed. @module */
import { AGENTS } from "../agents/registry.ts";
import { PLATFORMS } from "../install/installed.ts";
import { tableText } from "../columns.ts";
import { sizeText } from "../originals/words.ts";
import { manyText } from "../words.ts";
import type { Inventory } from "./inventory.ts";
import type { PlacedItem, StayingItem } from "./item.ts";

/** Paths that are named; of more there is a count. */
const MAX_NAMED = 10;

/** The list of what svc put there. Empty when that is nothing. */
export function listText(
  { installs, wrapped, services }: Pick<
    Inventory,
    "installs" | "wrapped" | "services"
  >,
  items: readonly PlacedItem[],
): string {
  const all = [installs, wrapped, services, items];
  if (all.every(({ length }) => length === 0)) return "";
  const rows = [
    ...installs.map(({ agent, file }) => [
      `MCP server in ${AGENTS[agent].title}`,
      "",
      file,
    ]),
    ...wrapped.map(({ agent, path }) => [
      `address in ${agent.title}`,
      "",
      path,
    ]),
    ...services.map(({ service, platform }) => [
      `service ${service.profile}`,
      "",
      PLATFORMS[platform].path(service),
    ]),
    ...items.map(({ what, bytes, shown }) => [what, sizeText(bytes), shown]),
  ];
  const sum = items.reduce((sum, { bytes }) => sum + bytes, 0);
  const columns = ["What", "Size", "Where"].map((heading) => ({ heading }));
  const table = tableText(columns, rows, Infinity);
  return `svc put this on your machine, ${sizeText(sum)} in all:\n\n${
    indented(table)
  }`;
}

/** What stays; empty when that is nothing. */
export function stayingText(staying: readonly StayingItem[]): string {
  if (staying.length === 0) return "";
  const lines = staying.slice(0, MAX_NAMED)
    .map(({ path, why }) => `${path}: ${why}\n`);
  const more = staying.length - lines.length;
  const rest = more > 0 ? `and ${manyText(more, "further path")}\n` : "";
  return `This stays:\n${indented(lines.join("") + rest)}`;
}

/** Clients that find nobody any more; empty when there are none. */
export function routedText({ routed, proxyUrl }: Inventory): string {
  if (routed.length === 0) return "";
  return `This still sends requests to ${proxyUrl}, where nobody answers ` +
    `without svc; take it out yourself:\n${
      indented(routed.map((place) => `${place}\n`).join(""))
    }`;
}

/** Why something could not be removed. */
export function failureText(code: string): string {
  return `it could not be removed: ${
    REASONS.get(code) ?? code
  }; remove it yourself`;
}

/** What the usual failures of the system mean to the user. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
  ["EROFS", "the disk is read-only"],
  ["EBUSY", "it is in use"],
]);

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
