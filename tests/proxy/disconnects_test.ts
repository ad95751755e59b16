import assert from "node:assert/strict";
import { Disconnects, openPorts } from "../../src/proxy/disconnects.ts";

const PORT = 8787;
const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");

/** A row as Linux writes it. */
const row = (local: number, remote: number, state: string) =>
  `   3: 0100007F:${hex(local)} 0100007F:${
    hex(remote)
  } ${state} 00000000:00000000 00:00000000 00000000     0        0 1234 1 0 20 4 30 10 -1\n`;
const HEAD =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const LISTENER = row(PORT, 0, "0A");
const tableOf = (...rows: readonly string[]) => HEAD + rows.join("");

Deno.test("openPorts gives the remote ports of open connections of the listener, of both families", () => {
  const four = tableOf(
    LISTENER,
    row(PORT, 40_000, "01"),
    row(PORT, 40_001, "08"),
    row(PORT, 40_002, "06"),
    row(40_000, PORT, "01"),
    row(9999, 40_003, "01"),
  );
  const six = `${HEAD}   0: 0000000000000000FFFF00000100007F:${
    hex(PORT)
  } 0000000000000000FFFF00000100007F:${hex(40_004)} 01 00000000:00000000\n`;
  assert.deepEqual([...openPorts([four, six], PORT)], [40_000, 40_004]);
});

Deno.test("openPorts refuses tables that do not show the listener, and those that are too long", () => {
  const other = tableOf(row(9999, 0, "0A"), row(PORT, 40_000, "08"));
  assert.throws(() => openPorts([other], PORT), /no listener on port 8787/);
  assert.throws(() => openPorts(["x".repeat(3_000_000)], PORT), /3000000/);
});

/** Looks at tables that the test gives, one look after the other. */
function scene(tables: () => Promise<readonly string[]>) {
  const unusable: string[] = [];
  let looks = 0;
  const departures = new Disconnects({
    tables: () => {
      looks++;
      return tables();
    },
    port: () => PORT,
    everyMs: 1,
    onUnusable: (reason) => unusable.push(reason),
  });
  return { departures, unusable, looks: () => looks };
}

Deno.test("Disconnects reports a connection that is closed at one end or gone, once, and no other", async () => {
  const open = new Set(["a", "b", "c"]);
  const ports = { a: 40_000, b: 40_001, c: 40_002 };
  const looked = { resolve: () => {} };
  const { departures } = scene(() => {
    looked.resolve();
    return Promise.resolve([tableOf(
      LISTENER,
      row(PORT, ports.a, "01"),
      row(PORT, ports.b, open.has("b") ? "01" : "08"),
      ...open.has("c") ? [row(PORT, ports.c, "01")] : [],
    )]);
  });
  const left: string[] = [];
  const [b, c] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const stop = [
    departures.watch(ports.a, () => left.push("a")),
    departures.watch(ports.b, () => (left.push("b"), b.resolve())),
    departures.watch(ports.c, () => (left.push("c"), c.resolve())),
  ];
  open.delete("b");
  await b.promise;
  open.delete("c");
  await c.promise;
  for (let i = 0; i < 3; i++) {
    await new Promise<void>((resolve) => looked.resolve = resolve);
  }
  assert.deepEqual(left, ["b", "c"]);
  for (const each of stop) each();
});

Deno.test("Disconnects reads nothing for a request that ended, and reports nothing after the watch", async () => {
  const tables = Promise.withResolvers<readonly string[]>();
  const asked = Promise.withResolvers<void>();
  const { departures, looks } = scene(() => {
    asked.resolve();
    return tables.promise;
  });
  departures.watch(40_000, assert.fail)();
  assert.equal(looks(), 0);
  const stop = departures.watch(40_000, assert.fail);
  await asked.promise;
  stop();
  stop();
  tables.resolve([tableOf(LISTENER)]);
  await tables.promise;
  await Promise.resolve();
});

Deno.test("Disconnects says once that tables cannot be read, and watches nothing from then on", async () => {
  const { departures, unusable, looks } = scene(() =>
    Promise.reject(new Error("not permitted"))
  );
  departures.watch(40_000, assert.fail);
  while (unusable.length === 0) await new Promise((done) => setTimeout(done));
  departures.watch(40_000, assert.fail);
  assert.deepEqual(unusable, ["not permitted"]);
  assert.equal(looks(), 1);
});
