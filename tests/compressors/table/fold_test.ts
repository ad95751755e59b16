import assert from "node:assert/strict";
import fc from "fast-check";
import { foldTables } from "../../../src/compressors/table/fold.ts";
import { tableKind } from "../../../src/compressors/table/kind.ts";
import { GOLDENS, inputOf, orderLines, padded } from "./samples.ts";

function folded(text: string) {
  const view = tableKind.parse(text, {});
  return view && foldTables(view.lines, view.tables);
}

Deno.test("foldTables is reversed for every golden text and every prefix of lines of it", () => {
  let count = 0;
  for (const { name, input } of GOLDENS) {
    const lines = input.split("\n");
    for (const share of [0.3, 0.5, 0.7, 0.9, 1]) {
      const text = lines.slice(0, Math.ceil(share * lines.length)).join("\n");
      const form = folded(text);
      if (form === undefined) continue;
      count++;
      assert.equal(form.restore(form.text), text, name);
      assert.ok(form.text.length < text.length, name);
    }
  }
  assert.ok(count > 60, `${count}`);
});

Deno.test("foldTables is reversed for texts that a few changed characters make irregular", () => {
  const texts = GOLDENS.map(({ input }) => input).filter(({ length }) =>
    length < 4000
  );
  const parts = ["", " ", "  ", "|", ",", "\n", "\r\n", "=", "\t", "-", "é"];
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(
        fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...parts)),
        { minLength: 1, maxLength: 4 },
      ),
      (text, edits) => {
        let changed = text;
        for (const [place, removed, added] of edits) {
          const at = place % (changed.length + 1);
          changed = changed.slice(0, at) + added + changed.slice(at + removed);
        }
        const form = folded(changed);
        if (form !== undefined) {
          assert.equal(form.restore(form.text), changed);
        }
      },
    ),
    { numRuns: 400 },
  );
});

Deno.test("foldTables reads every cell back from the form", () => {
  const text = inputOf("fold_psql_orders");
  const form = folded(text)!;
  const changed = form.restore(form.text.replace("customer-37", "somebody-38"));
  assert.equal(changed, text.replace("customer-37", "somebody-38"));
});

Deno.test("foldTables says once what all rows share", () => {
  const { text } = folded(orderLines(12).join("\n"))!;
  const [note, head, row] = text.split("\n");
  assert.equal(note, "… (name=value holds for all rows)");
  assert.equal(head, "order_id,customer,amount,currency=EUR,status,placed");
  assert.equal(row, "70000,C-0,20.50,paid,2026-03-01");
});

Deno.test("foldTables separates cells by a sign that none of them holds", () => {
  const separated = (cell: string) => {
    const rows = Array.from({ length: 6 }, (_, i) => [`${cell}${i}`, `v${i}`]);
    const text = padded([["NAME", "AGE"], ["----", "---"], ...rows]);
    return folded(`${text.join("\n")}\n`)!.text.split("\n")[1];
  };
  assert.equal(separated("x"), "x0 v0");
  assert.equal(separated("a b"), "a b0|v0");
  assert.equal(separated("a |"), "a |0\tv0");
});

Deno.test("foldTables keeps line ends, in quoted cells too", () => {
  const crlf = `${orderLines(60).join("\r\n")}\r\n`;
  const mixed = orderLines(60).map((line, i) =>
    i === 7 ? '7,"two\nlines",1.00,EUR,paid,x' : line
  ).join("\r\n");
  for (const text of [crlf, mixed]) {
    const form = folded(text)!;
    assert.equal(form.restore(form.text), text);
  }
});

Deno.test("foldTables takes lines of dashes away, at the end of a text too", () => {
  const grid = "+----+-----+\n| id | at  |\n+----+-----+\n| 1  | mon |\n" +
    "+----+-----+\n| 2  | tue |\n+----+-----+";
  for (const text of [grid, `${grid}\n`]) {
    const form = folded(text)!;
    assert.equal(form.text.trimEnd(), "id|at\n1|mon\n2|tue");
    assert.equal(form.restore(form.text), text);
  }
});

Deno.test("foldTables says of no row in full what it has in a column", () => {
  const lines = inputOf("fold_docker_ps").split("\n");
  const note = (text: string) => folded(text)!.text.split("\n")[0];
  assert.equal(note(lines.join("\n")), "… (name=value holds for all rows)");
  lines.splice(7, 0, "x".repeat(150));
  assert.equal(
    note(lines.join("\n")),
    "… (name=value holds for all rows but those in full)",
  );
});

Deno.test("foldTables takes no column for constant that a pushed row shows to vary", () => {
  const { text } = folded(inputOf("fold_ps_aux"))!;
  const head = text.split("\n")[1]!;
  assert.match(head, / VSZ RSS TTY=\? STAT /);
  assert.ok(text.includes("\n1 0.2 52684 22784 SLl 0:27 /usr/bin/node "));
});
