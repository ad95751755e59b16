/** Program of a test: writes one original, says so, and waits to be killed. @module */
import { openSqliteStore } from "../../src/ccr/sqlite_store.ts";
import { blockOf, conversationOf, entryOf, formOf } from "./samples.ts";

const [path = ""] = Deno.args;
const now = Date.UTC(2026, 0, 1);
const store = await openSqliteStore({
  path,
  ttlSeconds: 60,
  clock: { now: () => now, monotonic: () => now },
  log: () => {},
  version: "1.2.3",
});
await store.write({
  now,
  conversation: conversationOf("a"),
  entries: [entryOf("original", now)],
  forms: new Map([[blockOf("a"), formOf("a")]]),
});
await Deno.stdout.write(new TextEncoder().encode("written\n"));
setInterval(() => {}, 60_000);
