/** Configurations for tests: written by hand, and generated. @module */
import fc from "fast-check";
import { stringify } from "smol-toml";
import type { AgentId, Launch } from "../../../src/cli/agents/agent.ts";

/** A launch with everything that needs quoting somewhere. */
export const LAUNCH: Launch = {
  command: ["/opt/my deno", "run", 'a"b\\c', "mcp", "serve"],
  env: { SVC_WORKSPACE_DIR: "/home/ä/.svc" },
};

/** Another launch. */
export const OTHER: Launch = { command: ["/old/svc", "mcp", "serve"], env: {} };

/** Objects as people keep them in files. */
const values = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z_-]{0,8}$/),
  fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string(), {
      maxKeys: 3,
    }),
  ),
  { maxKeys: 5 },
);

const eol = fc.constantFrom("\n", "\r\n");

/** Servers of others; absent in some files. */
const servers = fc.option(
  fc.dictionary(
    fc.stringMatching(/^[a-z]{4,6}$/),
    fc.record({ command: fc.string() }),
    { maxKeys: 3 },
  ),
);

/** JSON files: compact or indented, any line end, with or without one at the end. */
function jsonTexts(container: string): fc.Arbitrary<string> {
  return fc.tuple(
    values,
    servers,
    fc.constantFrom(0, 2, 4, "\t"),
    eol,
    fc.constantFrom("", "\n", "\n\n"),
    fc.constantFrom("", "\uFEFF"),
  ).map(([rest, others, indent, lineEnd, tail, head]) => {
    const all = { ...rest, ...(others && { [container]: others }) };
    const text = JSON.stringify(all, null, indent) + tail;
    return head + text.replaceAll("\n", lineEnd);
  });
}

/** The same with comments behind lines and between them, and commas at the end. */
function jsoncTexts(container: string): fc.Arbitrary<string> {
  const marks = fc.array(
    fc.constantFrom("", "", " // c, {", " /* d } */", "\n// e"),
    { minLength: 1, maxLength: 9 },
  );
  return fc.tuple(jsonTexts(container), marks, fc.boolean()).map(
    ([text, comments, hasCommas]) =>
      text.split("\n").map((line, index, lines) => {
        const isLast = /^\s*[}\]]/.test(lines[index + 1] ?? "") &&
          !/[{[,\r]\s*$/.test(line);
        const comma = hasCommas && isLast ? "," : "";
        const isPlain = line.trim() === "" || line.endsWith("\r") ||
          lines.length === 1;
        return isPlain
          ? line
          : line + comma + comments[index % comments.length];
      }).join("\n"),
  );
}

/** TOML files with comments. */
const tomlTexts: fc.Arbitrary<string> = fc.tuple(
  values,
  servers,
  eol,
  fc.constantFrom("", "# head\n", "\n\n"),
  fc.constantFrom("", "\n", "# tail", "\n# [mcp_servers.svc]\n\n"),
).map(([rest, others, lineEnd, head, tail]) => {
  const body = stringify({ ...rest, ...(others && { mcp_servers: others }) });
  return (head + body + tail).replaceAll("\n", lineEnd);
});

/** Generated files by agent. */
export const CONFIG_TEXTS: Readonly<Record<AgentId, fc.Arbitrary<string>>> = {
  claude: jsonTexts("mcpServers"),
  codex: tomlTexts,
  opencode: fc.oneof(jsonTexts("mcp"), jsoncTexts("mcp")),
};
