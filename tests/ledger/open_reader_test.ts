import assert from "node:assert/strict";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openLedgerReader } from "../../src/ledger/open_reader.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { migrateTo } from "../../src/writer/schema.ts";
import { inPlace } from "./place.ts";
import { spent } from "./samples.ts";

Deno.test("openLedgerReader sees what a running proxy writes, and what it left", () =>
  inPlace(async ({ path, open }) => {
    const ledger = await open();
    ledger.record(spent("a", 1));
    await ledger.flush();
    const { reader, close } = await openLedgerReader(path);
    assert.equal(reader.lifetime().requests, 1);
    ledger.record(spent("b", 1));
    await ledger.flush();
    assert.equal(reader.requests({ limit: 9 })[0]?.id, "b");
    close();
    await ledger[Symbol.asyncDispose]();
    const again = await openLedgerReader(path);
    assert.equal(again.reader.lifetime().requests, 2);
    again.close();
  }));

Deno.test("openLedgerReader refuses what it cannot read, says why, and changes nothing", () =>
  inPlace(async ({ path }) => {
    await Deno.mkdir(dirname(path));
    const opens = () => openLedgerReader(path);
    await assert.rejects(opens, /Cannot read the ledger .*unable to open/);
    await Deno.writeTextFile(path, "no database ".repeat(100));
    await assert.rejects(opens, /Cannot read the ledger .*not a database/);
    await Deno.remove(path);
    using db = new DatabaseSync(path);
    await assert.rejects(opens, /schema 0 is older than 5: start the proxy/);
    migrateTo(db, "1.2.3", LEDGER_MIGRATIONS);
    const others = [
      [99, /schema 99, written by version 1\.2\.3, is new/],
      [1, /schema 1 is older than those of released versions/],
    ] as const;
    for (const [version, reason] of others) {
      db.exec(`UPDATE meta SET value = '${version}'
        WHERE name = 'schema_version'`);
      await assert.rejects(opens, reason);
    }
    assert.deepEqual(db.prepare("SELECT * FROM requests").all(), []);
  }));
