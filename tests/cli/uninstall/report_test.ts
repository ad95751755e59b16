import assert from "node:assert/strict";
import {
  failureText,
  listText,
  routedText,
  stayingText,
} from "../../../src/cli/uninstall/report.ts";

Deno.test("listText is a table with registrations first, and the sum", () => {
  const launch = { command: ["svc"], env: {} };
  const installs = [
    { agent: "codex", file: "/h/config.toml", launch, created: false },
  ] as const;
  const items = [
    { what: "logs", shown: "/w/logs/*", paths: [], bytes: 1500 },
    { what: "settings", shown: "/w/settings.json", paths: [], bytes: 500 },
  ];
  assert.equal(
    listText({ installs, wrapped: [], services: [] }, items),
    `svc put this on your machine, 2.00 kB in all:

  What                 Size       Where
  MCP server in Codex             /h/config.toml
  logs                 1.50 kB    /w/logs/*
  settings             500 bytes  /w/settings.json
`,
  );
  assert.equal(listText({ installs: [], wrapped: [], services: [] }, []), "");
});

Deno.test("stayingText names ten paths and counts the others", () => {
  const staying = Array.from({ length: 13 }, (_, i) => ({
    path: `/w/${i}`,
    why: "not made by svc",
  }));
  const lines = stayingText(staying).trimEnd().split("\n");
  assert.equal(lines.length, 12);
  assert.equal(lines[1], "  /w/0: not made by svc");
  assert.equal(lines.at(-1), "  and 3 further paths");
  assert.equal(stayingText([]), "");
});

Deno.test("routedText is empty where nobody sends requests to the proxy", () => {
  const inventory = {
    installs: [],
    wrapped: [],
    services: [],
    findings: { items: [], staying: [], directories: [] },
    inUse: undefined,
    proxyUrl: "http://127.0.0.1:8787",
  };
  assert.equal(routedText({ ...inventory, routed: [] }), "");
  assert.match(
    routedText({ ...inventory, routed: ["X in the shell"] }),
    /to http:\/\/127\.0\.0\.1:8787, [^]*\n {2}X in the shell\n$/,
  );
});

Deno.test("failureText says what a code means, and gives an unknown one as it is", () => {
  assert.match(failureText("EACCES"), /no permission/);
  assert.match(failureText("EIO"), /EIO/);
});
