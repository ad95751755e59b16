/** Random JSON texts in the layouts that tools print, with numbers and strings as written. @module */
import fc from "fast-check";

/** A JSON value whose scalars are raw text. */
export type Json = string | readonly Json[] | Members;

/** An object: raw keys, quotes included, in order. */
export interface Members {
  readonly members: readonly (readonly [key: string, value: Json])[];
}

/** How a value is printed. */
export interface Style {
  readonly indent: string;
  readonly comma: string;
  readonly colon: string;
}

/** The usual layouts by name. */
export const STYLES: Readonly<Record<string, Style>> = {
  compact: { indent: "", comma: ",", colon: ":" },
  spaced: { indent: "", comma: ", ", colon: ": " },
  colons: { indent: "", comma: ",", colon: ": " },
  two: { indent: "  ", comma: ",", colon: ": " },
  four: { indent: "    ", comma: ",", colon: ": " },
  tab: { indent: "\t", comma: ",", colon: ": " },
};

/** Prints a value; written apart from the code under test. */
export function print(value: Json, style: Style, depth = 0): string {
  if (typeof value === "string") return value;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item: Json) => print(item, style, depth + 1))
    : (value as Members).members.map(([key, item]) =>
      key + style.colon + print(item, style, depth + 1)
    );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  if (style.indent === "") return open + parts.join(style.comma) + close;
  const line = "\n" + style.indent.repeat(depth + 1);
  return open + line + parts.join("," + line) + "\n" +
    style.indent.repeat(depth) + close;
}

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) =>
    JSON.stringify(n)
  ),
  fc.constantFrom("1.0", "1e5", "-0", "12345678901234567890", "0.10E+3"),
);

const TRICKY = [
  "",
  "12",
  "-1",
  "+1",
  ".5",
  "5.",
  "007",
  "1e5",
  "true",
  "false",
  "null",
  " a",
  "a ",
  "a,b",
  "a: b",
  "a:",
  "item {}",
  "item 1",
  "…",
  "[3 rows: a",
  "{a}",
  "[1]",
  "a?",
  "?",
  "string(1)",
  "text in the next 1 lines:",
  ")",
  'say "hi"',
  "back\\slash",
  "two\nlines",
  "*",
  "a=b",
  "https://example.com/a/1",
  "https://example.com/a/22/x{/y}",
  "src/a.ts",
  "\u2028",
  "\u00a0",
  "é",
  "\ud83d\ude00",
];

const string = fc.oneof(
  fc.constantFrom(...TRICKY),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 8 }),
).map((text) => JSON.stringify(text));

/** Strings whose non-ASCII characters are escaped, as Python prints them. */
const escaped = string.map((literal) =>
  literal.replace(
    /[^ -~]/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  )
);

const scalar: fc.Arbitrary<Json> = fc.oneof(
  number,
  string,
  escaped,
  fc.constantFrom("true", "false", "null", '""'),
);

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("id", "name", "url", "a.b", "a/b") },
  { weight: 1, arbitrary: fc.constantFrom(...TRICKY) },
).map((text) => JSON.stringify(text));

/** Any value of a few levels. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalar,
      fc.array(tie("value"), { maxLength: 4 }),
      membersOf(tie("value")),
    ),
  }),
).value;

function membersOf(value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.uniqueArray(fc.tuple(key, value), {
    maxLength: 5,
    selector: ([name]) => name,
  }).map((members) => ({ members }));
}

/** Values of one column: all alike, links, small sets, nested objects, or anything. */
const columnValues: fc.Arbitrary<(row: number) => Json> = fc.oneof(
  scalar.map((value) => () => value),
  fc.constant((row: number) => String(row)),
  fc.constant((row: number) => `"n${row}"`),
  fc.constantFrom("", "/tail", "{/x}").map((tail) => (row: number) =>
    `"https://example.com/things/${row * 7}${tail}"`
  ),
  fc.constant((row: number) => `"https://example.com/users/n${row}"`),
  fc.array(scalar, { minLength: 1, maxLength: 4 }).map(
    (values) => (row: number) => values[row % values.length]!,
  ),
  fc.array(anyJson, { minLength: 1, maxLength: 4 }).map(
    (values) => (row: number) => values[row % values.length]!,
  ),
  fc.tuple(scalar, scalar).map(([a, b]) => (row: number): Json => ({
    members: [['"id"', String(row)], ['"x"', row % 2 ? a : b]],
  })),
  fc.tuple(scalar, anyJson).map(([a, b]) => (row: number): Json => ({
    members: row % 3 === 0
      ? [['"x"', a]]
      : [['"id"', String(row)], ['"x"', a], ['"deep"', {
        members: [['"y"', b]],
      }]],
  })),
  fc.array(anyJson, { minLength: 1, maxLength: 3 }).map(
    (values) => (row: number) =>
      JSON.stringify(print(values, STYLES.two!).repeat(1 + row % 2)),
  ),
  fc.array(scalar, { minLength: 1, maxLength: 2 }).map(
    (values) => (row: number) =>
      values.map((value): Json => ({
        members: [['"k"', value], ['"v"', String(row)]],
      })),
  ),
);

/** Arrays of similar objects: some members are missing in some rows, some rows are something else. */
export const anyRows: fc.Arbitrary<readonly Json[]> = fc.record({
  columns: fc.uniqueArray(
    fc.tuple(key, columnValues, fc.integer({ min: 0, max: 5 })),
    {
      minLength: 1,
      maxLength: 6,
      selector: ([name]) => name,
    },
  ),
  count: fc.integer({ min: 2, max: 12 }),
  odd: fc.option(fc.tuple(fc.nat(11), anyJson), { freq: 4 }),
}).map(({ columns, count, odd }) =>
  Array.from({ length: count }, (_, row): Json => {
    if (odd?.[0] === row) return odd[1];
    const present = columns.filter(([, , gap]) => gap < 2 || row % gap !== 0);
    return {
      members: present.map(([name, valueAt]) => [name, valueAt(row)] as const),
    };
  })
);

/** A whole document: any container, rows, rows inside an object, or rows as members. */
export const anyDocument: fc.Arbitrary<Json> = fc.oneof(
  anyJson.filter((value) => typeof value !== "string"),
  anyRows,
  anyRows.map((rows): Json => ({
    members: [['"total"', "3"], ['"items"', rows]],
  })),
  fc.tuple(anyRows, fc.constantFrom("two", "compact")).map((
    [rows, style],
  ): Json => ({
    members: [
      ['"type"', '"text"'],
      ['"text"', JSON.stringify(print(rows, STYLES[style]!))],
    ],
  })),
  anyRows.map((rows): Json => ({
    members: rows.map((row, i) =>
      [JSON.stringify(`${TRICKY[i]}${i}`), row] as const
    ),
  })),
  fc.tuple(anyRows, anyRows).map(([a, b]): Json => [
    { members: [['"rows"', a]] },
    { members: [['"rows"', b]] },
  ]),
);
