/**
 * The scenarios of the official conformance suite against `/mcp` behind its gates.
 *
 * The suite comes from the npm registry, about 5 MB on first use, and runs in Deno: under Node it needs
 * version 22. Without the registry this test fails; `deno test … -- --offline` leaves it out.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fakeParts } from "./fake_parts.ts";
import { serveMcpRoute } from "./mcp_server.ts";

const SUITE = "npm:@modelcontextprotocol/conformance@0.1.16";

/** Every server must pass these. */
const APPLICABLE = [
  "server-initialize",
  "ping",
  "tools-list",
  "dns-rebinding-protection",
];

/** These demand what svc's server does not offer, by reason. The suite says so if one passes after all. */
const NOT_APPLICABLE: Readonly<Record<string, readonly string[]>> = {
  "tools of the suite's own, e.g. test_simple_text": [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ],
  "sessions and streams that can be resumed": [
    "server-sse-polling",
    "server-sse-multiple-streams",
  ],
  "log messages to the client, which the current revision gives up": [
    "logging-set-level",
  ],
  "completions": ["completion-complete"],
  "resources": [
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
  ],
  "prompts": [
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
};

Deno.test({
  name: "the MCP server passes every conformance scenario that applies to it",
  ignore: Deno.args.includes("--offline"),
  async fn() {
    await using server = serveMcpRoute(fakeParts());
    const directory = await Deno.makeTempDir();
    const baseline = join(directory, "expected_failures.yml");
    const excluded = Object.values(NOT_APPLICABLE).flat();
    await Deno.writeTextFile(baseline, JSON.stringify({ server: excluded }));
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--quiet", "--no-config", "--no-lock", SUITE],
        ...["server", "--url", server.url.href, "--suite", "all"],
        ...["--expected-failures", baseline, "--output-dir", directory],
      ],
      stdin: "null",
    }).output();
    await Deno.remove(directory, { recursive: true });
    const said = new TextDecoder().decode(stdout);
    const outcomes = new Map(
      [...said.matchAll(/^([✓✗~]) ([\w-]+): (\d+) passed/gmu)]
        .map(([, sign, name, passed]) => [name, `${sign} ${passed}`]),
    );
    assert.ok(
      outcomes.size > 0,
      `Cannot run ${SUITE}: ${new TextDecoder().decode(stderr).slice(0, 500)}`,
    );
    for (const name of APPLICABLE) {
      assert.match(outcomes.get(name) ?? "not run", /^✓ [1-9]/, name);
    }
    assert.equal(code, 0, said);
    assert.deepEqual(
      [...outcomes.keys()].sort(),
      [...APPLICABLE, ...excluded].sort(),
    );
  },
});
