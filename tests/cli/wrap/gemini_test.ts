import assert from "node:assert/strict";
import { WRAP_GEMINI } from "../../../src/cli/wrap/gemini.ts";
import { BASE, type Circumstances, pointed } from "./pointed.ts";

const FILE = ".gemini/settings.json";
const login = (type: string) =>
  JSON.stringify({ security: { auth: { selectedType: type } } });
const point = (circumstances?: Circumstances) =>
  pointed(WRAP_GEMINI, circumstances);

Deno.test("WRAP_GEMINI sets the address, and says what it does not do", async () => {
  const files = { [FILE]: login("gemini-api-key") };
  const { variables, notes } = await point({ files });
  assert.deepEqual(variables, { GOOGLE_GEMINI_BASE_URL: BASE });
  assert.deepEqual(notes, [
    "Gemini's requests are forwarded and counted, not compressed",
  ]);
  assert.match((await point()).notes![1]!, /no login selected/);
});

Deno.test("WRAP_GEMINI refuses a login whose service svc does not serve, that of the project first", async () => {
  const files = {
    [FILE]: login("gemini-api-key"),
    [`shop/${FILE}`]: login("oauth-personal"),
  };
  await assert.rejects(
    point({ files }),
    /~\/shop\/\.gemini\/settings\.json selects the login oauth-personal/,
  );
});

Deno.test("WRAP_GEMINI refuses another address than Google's", async () => {
  const set = (GOOGLE_GEMINI_BASE_URL: string) =>
    point({ env: { GOOGLE_GEMINI_BASE_URL } });
  await assert.rejects(set("https://gw.example/key"), /to Google only/);
  assert.deepEqual((await set(BASE)).args, []);
});
