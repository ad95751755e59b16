/** How notes name what they leave out of a plan. @module */
import { addTo } from "../../text/counts.ts";
import type { Gap } from "../../core/kind.ts";
import type { Plan, Resource } from "./plans.ts";

/** Names of attributes that a note lists, and of resources: a plan is read for these. */
const ATTRIBUTES = 5;
const RESOURCES = 200;
/** UTF-16 units of a name. */
const WIDTH = 120;
/** No bracket alone. */
const NAMED = /\w/;

/** `38 updated in-place, ~ tags: a.b, .c`: the resources of a gap, and the changes of one that is shown above it. */
export function planLabel({ resources }: Plan, { from, to }: Gap): string {
  const groups = new Map<string, string[]>();
  const names = new Set<string>();
  let at = firstBehind(resources, from);
  for (; (resources[at]?.head ?? to) < to; at++) {
    const resource = resources[at];
    if (resource === undefined) break;
    const { head, address, isWhole, changes } = resource;
    if (head < from) {
      for (const { line, name } of isWhole ? [] : changes) {
        if (line >= from && line < to && NAMED.test(name)) names.add(name);
      }
      continue;
    }
    addTo(groups, becoming(resource), address);
  }
  return [
    names.size === 0 ? "" : countedNames([...names]),
    ...[...groups].map(([said, addresses]) =>
      `${addresses.length} ${said}: ${namesText(addresses)}`
    ),
  ].filter((part) => part !== "").join("; ");
}

/** Index of the first resource that ends behind a line. O(log n). */
function firstBehind(resources: readonly Resource[], line: number): number {
  let low = 0;
  let high = resources.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((resources[middle]?.end ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `updated in-place, ~ tags`. */
function becoming({ action, isWhole, changes }: Resource): string {
  const top = new Set<string>();
  for (const { above, name } of changes) if (above.length === 0) top.add(name);
  return isWhole || top.size === 0
    ? action
    : `${action}, ${countedNames([...top])}`;
}

/** `~ tags, + ingress and 3 more`. */
function countedNames(names: readonly string[]): string {
  return listed(names, ATTRIBUTES);
}

/** `aws_instance.a, .b, module.c.aws_instance.d and 3 more`: a name that begins as the one before is cut at its last dot. */
function namesText(addresses: readonly string[]): string {
  let last = "";
  return listed(
    addresses.map((address) => {
      const bracket = address.indexOf("[");
      const end = bracket < 0 ? address.length : bracket;
      const dot = address.slice(0, end).lastIndexOf(".");
      const start = address.slice(0, dot + 1);
      const isSame = dot > 0 && start === last;
      last = start;
      return isSame ? address.slice(dot) : address;
    }),
    RESOURCES,
  );
}

function listed(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).map((name) => name.slice(0, WIDTH));
  const rest = names.length - shown.length;
  return shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
