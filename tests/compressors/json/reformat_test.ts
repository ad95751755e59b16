import assert from "node:assert/strict";
import { reformat, Tables } from "../../../src/compressors/json/reformat.ts";
import { tapeOf, tapeOfValue } from "./tapes.ts";

const users = Array.from(
  { length: 6 },
  (_, i) => ({ id: i, name: `user${i}` }),
);

function reformatted(value: unknown): string {
  const tape = tapeOfValue(value);
  return reformat(tape, { tables: new Tables(tape) });
}

Deno.test("reformat writes an array inside an object as a table and the siblings as JSON", () => {
  const text = reformatted({ total: 6, items: users, next: null });
  assert.match(text, /^\{"total":6,"items":\[6 rows: id,name\n0,user0\n/);
  assert.match(text, /\n5,user5\n\],"next":null\}$/);
});

Deno.test("reformat writes members that are alike as a table with keys", () => {
  const members = Object.fromEntries(users.map((user) => [user.name, user]));
  assert.match(
    reformatted({ deps: members }),
    /"deps":\{6 rows: id,name\nuser0: 0,user0\n/,
  );
});

Deno.test("reformat leaves small, short and mixed containers as JSON", () => {
  for (
    const value of [[{ a: 1 }, { a: 2 }], [1, 2, 3], { a: {}, b: [] }, [
      users[0],
      "x",
      "y",
    ]]
  ) {
    assert.equal(reformatted(value), JSON.stringify(value));
  }
});

Deno.test("reformat prefers tables inside to one table around them", () => {
  const text = reformatted([{ page: 1, rows: users }, {
    page: 2,
    rows: users,
  }]);
  assert.equal(text.match(/\[6 rows: /g)?.length, 2);
  assert.doesNotMatch(text, /\[2 rows/);
});

Deno.test("reformat writes JSON Lines as one table", () => {
  const tape = tapeOf(users.map((user) => JSON.stringify(user)).join("\n"));
  assert.match(
    reformat(tape, { tables: new Tables(tape) }),
    /^\[6 rows: id,name\n/,
  );
});

Deno.test("Tables remembers grids and which containers became tables", () => {
  const tape = tapeOfValue({ items: users });
  const tables = new Tables(tape);
  reformat(tape, { tables });
  assert.ok(tables.isChosen(2));
  assert.ok(!tables.isChosen(1));
  assert.equal(tables.gridOf(2), tables.gridOf(2));
});

Deno.test("reformat stays linear on nested arrays of arrays", () => {
  let value: unknown = users;
  for (let depth = 0; depth < 150; depth++) value = [value, [depth], { depth }];
  const tape = tapeOfValue(value);
  assert.equal(reformat(tape, { tables: new Tables(tape) }), tape.text);
});
