import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldTables,
  unfoldTables,
} from "../../../src/compressors/table/fold.ts";
import { tableKind } from "../../../src/compressors/table/kind.ts";
import { goldensIn, inputOf } from "../goldens.ts";
import { padded } from "./samples.ts";

/** A form and its inverse, which gets nothing but the form. */
function folded(text: string) {
  const view = tableKind.parse(text, {});
  const form = view &&
    foldTables(view.lines, view.tables, ({ length }) => length);
  return form && { ...form, restore: unfoldTables };
}

Deno.test("foldTables is reversed for every golden text and every prefix of lines of it", () => {
  let count = 0;
  for (const { name, input } of goldensIn("table")) {
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
  assert.ok(count > 30, `${count}`);
});

Deno.test("foldTables is reversed for texts that a few changed characters make irregular", () => {
  const texts = goldensIn("table").map(({ input }) => input).filter((
    { length },
  ) => length < 4000);
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
  const text = inputOf("table/fold_ps_aux");
  const form = folded(text)!;
  const changed = form.restore(form.text.replace("rcu_preempt", "rcu_changed"));
  assert.equal(changed, text.replace("rcu_preempt", "rcu_changed"));
});

Deno.test("foldTables separates cells by a sign that none of them holds", () => {
  const separated = (cell: string) => {
    const rows = Array.from(
      { length: 9 },
      (_, i) => [`${cell}${i}`, `value-${i}`.padEnd(30), `${i}`],
    );
    const text = padded([
      ["NAME", "AGE", "END"],
      ["----", "---", "---"],
      ...rows,
    ]);
    return folded(`${text.join("\n")}\n`)?.text.split("\n")[3];
  };
  assert.equal(separated("x"), "x0 value-0 0");
  assert.equal(separated("a b"), "a b0|value-0|0");
  assert.equal(separated("a |"), undefined);
});

Deno.test("foldTables keeps line ends", () => {
  const crlf = inputOf("table/fold_ps_aux").replaceAll("\n", "\r\n");
  const form = folded(crlf)!;
  assert.ok(!/[^\r]\n/.test(form.text));
  assert.equal(form.restore(form.text), crlf);
});

Deno.test("foldTables keeps a row that is padded in another way as it is", () => {
  const lines = inputOf("table/fold_ps_aux").split("\n");
  const odd = `${lines[7]}   `;
  lines[7] = odd;
  const form = folded(lines.join("\n"))!;
  assert.ok(form.text.includes(`\n${odd}\n`));
  assert.equal(form.restore(form.text), lines.join("\n"));
});

Deno.test("foldTables says once what the rows of a list have in common", () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) =>
      `-rw-r--r-- 1 dev dev ${
        String(10 ** (i % 4)).padStart(4)
      } Nov 22 21:36 x${i}.ts`,
  );
  const text = ["a:", ...rows, "", "b:", ...rows, ""].join("\n");
  const form = folded(text)!;
  const [, note = "", row] = form.text.split("\n");
  assert.match(
    note,
    /same in all rows: \[0,"-rw-r--r--"\],\[1,"1"\],.*"21:36"/,
  );
  assert.equal(row, "1 x0.ts");
  assert.equal(form.restore(form.text), text);
});

Deno.test("unfoldTables leaves a text without notes as it is", () => {
  const text = "a\r\n… (repeated 3 times)\n\nb";
  assert.equal(unfoldTables(text), text);
});

Deno.test("unfoldTables needs nothing but the form", () => {
  const form = [
    "before",
    "… (rows without padding, cells by |, columns at 0 15r 16 26)",
    "NAME       SIZE STATE     AGE",
    "web server|9|all right|5d",
    "(1 row)",
    "",
    "after|x",
  ].join("\n");
  assert.equal(
    unfoldTables(form),
    [
      "before",
      "NAME       SIZE STATE     AGE",
      "web server    9 all right 5d",
      "(1 row)",
      "",
      "after|x",
    ].join("\n"),
  );
});

Deno.test("foldTables leaves a table alone whose rows hardly get shorter", () => {
  const rows = Array.from(
    { length: 6 },
    (_, i) => [`tmpfs${i}`, "ext4", "24G"],
  );
  const text = padded([["NAME", "TYPE", "SIZE"], ...rows]).join("\n");
  assert.ok(tableKind.parse(text, {}) !== undefined);
  assert.equal(folded(text), undefined);
});
