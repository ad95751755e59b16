import assert from "node:assert/strict";
import {
  duForm,
  statForm,
  wcForm,
} from "../../../src/compressors/paths/sized.ts";
import { inputOf } from "./samples.ts";

Deno.test("statForm, duForm and wcForm print real lists again", () => {
  for (
    const [form, name] of [
      [statForm, "diffStat"],
      [duForm, "duSizes"],
      [wcForm, "wcLines"],
    ] as const
  ) {
    const text = inputOf(name);
    const list = form.read(text)!;
    assert.notEqual(list.text, text);
    assert.equal(form.print(list.text, list.notes), text);
  }
});

Deno.test("statForm keeps totals and binary files as they are", () => {
  const rows = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"].map((name, i) =>
    ` src/${name}       | ${String(i + 98).padStart(3)} ++--\n`
  );
  const text = rows.join("") + " src/long/b.png | Bin 0 -> 5 bytes\n" +
    " 6 files changed, 9 insertions(+)\n";
  const list = statForm.read(text.slice(0, text.lastIndexOf(" 6")))!;
  assert.ok(list.text.startsWith("src/a.ts|98++--\nsrc/b.ts|99++--\n"));
  assert.ok(list.text.includes("\n src/long/b.png | Bin 0 -> 5 bytes\n"));
  assert.equal(
    statForm.print(list.text, ""),
    text.slice(0, text.lastIndexOf(" 6")),
  );
});

Deno.test("wcForm keeps the total, whose width the others have", () => {
  const text =
    "   12 src/a.ts\n    3 src/b.ts\n    7 c.ts\n    1 d.ts\n 1023 total\n";
  const list = wcForm.read(text)!;
  assert.equal(
    list.text,
    "src/a.ts|12\nsrc/b.ts|3\nc.ts|7\nd.ts|1\n 1023 total\n",
  );
  assert.equal(wcForm.print(list.text, ""), text);
});

Deno.test("sized forms refuse lists of another kind", () => {
  for (const form of [statForm, duForm, wcForm]) {
    assert.equal(form.read("src/a.ts\nsrc/b.ts\n"), undefined);
    assert.equal(form.read(""), undefined);
  }
});
