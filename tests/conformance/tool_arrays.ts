/** Tool arrays as odd clients write them: any order of members, white space and escapes. */
import * as fc from "fast-check";

/** One tool, as a value. */
export type Tool = Readonly<Record<string, unknown>>;

/** A tool array. */
export interface ToolArray {
  readonly tools: readonly Tool[];
  /** The same as JSON text. */
  readonly text: string;
}

const SPACES = ["", "", "", " ", "\n", "\t ", "\r\n  "];

/** Writes JSON in any of its many ways; `pick` gives a number below its argument. */
function written(value: unknown, pick: (below: number) => number): string {
  const space = () => SPACES[pick(SPACES.length)]!;
  const string = (text: string) =>
    `"${
      Array.from(JSON.stringify(text).slice(1, -1)).map((char) => {
        const isPlain = /[\p{L}\d_]/u.test(char) && char.length === 1;
        return isPlain && pick(8) === 0
          ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
          : char;
      }).join("")
    }"`;
  const list = (open: string, inner: readonly string[], close: string) =>
    `${open}${space()}${inner.join(`${space()},${space()}`)}${space()}${close}`;
  const write = (value: unknown): string => {
    if (typeof value === "string") return string(value);
    if (Array.isArray(value)) return list("[", value.map(write), "]");
    if (typeof value !== "object" || value === null) {
      return JSON.stringify(value);
    }
    const members = Object.entries(value).map(([key, inner]) =>
      `${plainEscapes(key, pick)}${space()}:${space()}${write(inner)}`
    );
    return list("{", members, "}");
  };
  return write(value);
}

/** A key, some letters of which are escaped; escapes hide no other character. */
function plainEscapes(key: string, pick: (below: number) => number): string {
  const text = JSON.stringify(key);
  const at = pick(3) === 0 ? text.search(/[a-z]/) : -1;
  // Not behind a backslash, which would make it something else.
  if (at < 1 || text[at - 1] === "\\") return text;
  const code = text.charCodeAt(at).toString(16).padStart(4, "0");
  return `${text.slice(0, at)}\\u${code}${text.slice(at + 1)}`;
}

const mark = fc.constantFrom(
  { type: "ephemeral" },
  { type: "ephemeral", ttl: "1h" },
  { type: "ephemeral", note: '} "quoted\\" {' },
);
const text = fc.string({ unit: "grapheme", maxLength: 30 });

/** Any tool of the client, but for its name. */
const tool = fc.record({
  type: fc.constantFrom("custom", "web_search_20250305"),
  description: fc.oneof(text, fc.constant(null)),
  input_schema: fc.oneof(
    fc.constant({ type: "object", properties: {} }),
    fc.constant(null),
    fc.dictionary(text, text, { maxKeys: 3 }),
  ),
  strict: fc.boolean(),
  defer_loading: fc.boolean(),
  cache_control: mark,
}, { requiredKeys: [] });

const name = fc.stringMatching(/^[A-Za-z_é-]{1,12}$/)
  .filter((name) => !/headroom_retrieve|svc_find_tools/i.test(name));

/** Tool arrays; each has a tool. */
export const toolArrays: fc.Arbitrary<ToolArray> = fc.tuple(
  fc.uniqueArray(fc.record({ name, tool, at: fc.nat(6) }), {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 12,
  }),
  fc.integer(),
).map(([drawn, seed]) => {
  const tools = drawn.map(({ name, tool, at }) => {
    const members: [string, unknown][] = Object.entries(tool);
    members.splice(at, 0, ["name", name]);
    return JSON.parse(JSON.stringify(Object.fromEntries(members)));
  });
  return { tools, text: written(tools, picker(seed)) };
});

/** A small generator of numbers that `seed` determines. */
function picker(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}
