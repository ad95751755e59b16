/** How strings in code end. @module */
import { codeAt } from "../../text/lines.ts";

const BACKSLASH = 92;
/** Characters after which a slash starts a regular expression and does not divide. */
export const BEFORE_PATTERN = new TextEncoder().encode("\0(,=:[!&|?{};+");
/** UTF-16 units before a quote that say how its string ends. */
const RAW = 6;

/** How a raw string of C++ or Rust ends whose quote is at `at`; empty when it is none. */
export function rawEnd(text: string, at: number): string {
  const around = text.slice(Math.max(0, at - RAW), at + 2);
  if (/(?:^|\W)R"\($/.test(around)) return ')"';
  const found = /(?:^|\W)b?r(#{0,4})".?$/s.exec(around);
  return found === null ? "" : `"${found[1] ?? ""}`;
}

/** Whether the character at `at` has a backslash before it that is none itself. */
export function isEscaped(codes: Uint8Array, at: number): boolean {
  let from = at;
  while (codeAt(codes, from - 1) === BACKSLASH) from--;
  return (at - from) % 2 === 1;
}
