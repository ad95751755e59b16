import assert from "node:assert/strict";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { AGENT_ROWS, inHome } from "../../../src/cli/doctor/agent_rows.ts";

Deno.test("AGENT_ROWS have an id each, and a check of their own where svc can edit the agent's file", () => {
  const ids = AGENT_ROWS.map(({ id }) => id);
  assert.equal(new Set(ids).size, 14);
  const own = AGENT_ROWS.filter(({ check }) => check).map(({ id }) => id);
  assert.deepEqual(own, Object.keys(KEEPABLE));
});

Deno.test("AGENT_ROWS find base URLs in the notations of their files, not in comments", () => {
  const found = (id: string, text: string) =>
    AGENT_ROWS.find((row) => row.id === id)!.files.flatMap(({ addresses }) =>
      [...text.matchAll(addresses)].map(({ groups }) => groups?.["url"])
    );
  const url = "http://127.0.0.1:8787/v1";
  const cases: [string, string][] = [
    ["gemini", `A=1\nexport GOOGLE_GEMINI_BASE_URL="${url}"\n`],
    ["aider", `openai-api-base: ${url}\n`],
    ["goose", `OPENAI_HOST: '${url}' # mine\n`],
    ["cline", `{"a": 1, "baseUrl":"${url}"}`],
    ["openclaw", `{ models: { providers: { a: { baseUrl: '${url}', } } } }`],
    ["vibe", `[[providers]]\r\napi_base = "${url}"\r\n`],
  ];
  for (const [id, text] of cases) assert.deepEqual(found(id, text), [url], id);
  assert.deepEqual(found("continue", `# apiBase: ${url}\napiBase: null\n`), []);
});

Deno.test("inHome places a path in the home directory", () => {
  assert.equal(inHome({ HOME: "/h" }, ".a/b"), "/h/.a/b");
});
