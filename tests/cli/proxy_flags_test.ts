import assert from "node:assert/strict";
import { Command } from "@commander-js/extra-typings";
import { addSettingFlags } from "../../src/cli/proxy_flags.ts";
import { PLANNED_FLAGS } from "../../src/settings/planned.ts";
import { ROWS } from "../../src/settings/registry.ts";

function parsed(...args: string[]) {
  const command = new Command().exitOverride();
  const given = addSettingFlags(command);
  command.parse(args, { from: "user" });
  return given();
}

Deno.test("addSettingFlags gives what stands on the command line, and nothing else", () => {
  assert.deepEqual(parsed(), {});
  assert.deepEqual(
    parsed("--port", "1", "--lossless", "--no-http2", "--code-aware"),
    { port: "1", lossless: "true", "no-http2": "true", "code-aware": "true" },
  );
  assert.deepEqual(parsed("--openai-api-url", "http://a"), {
    "openai-api-url": "http://a",
  });
});

Deno.test("addSettingFlags knows the flag of every setting", () => {
  for (const { flag, placeholder } of ROWS) {
    if (flag === undefined) continue;
    const args = placeholder === undefined ? [] : ["x"];
    assert.deepEqual(Object.keys(parsed(`--${flag}`, ...args)), [flag]);
  }
});

Deno.test("addSettingFlags refuses flags of features that are not in this version", () => {
  for (const { flag, placeholder } of PLANNED_FLAGS) {
    const args = placeholder === undefined ? [] : ["x"];
    assert.throws(() => parsed(`--${flag}`, ...args), {
      name: "CliFailure",
      exitCode: 2,
      message: `Cannot use --${flag}: it is not in this version; leave it out`,
    });
  }
});

Deno.test("addSettingFlags shows each setting with its variable and default, but nothing that is not here", () => {
  const command = new Command();
  addSettingFlags(command);
  const help = command.helpInformation();
  assert.match(help, /--rpm <number>[^[]*\[SVC_RPM, default\s+none\]/);
  assert.match(help, /--openai-api-url <url> +Same as --chat-api-url\./);
  assert.match(help, /--http2 +The opposite of --no-http2\./);
  assert.doesNotMatch(help, /--memory|--tpm|--learn|kompress/);
});

Deno.test("addSettingFlags takes settings by their variables, any number, with the name of the variable", () => {
  assert.deepEqual(
    parsed(
      "--set",
      "SVC_RPM=5",
      "--port",
      "1",
      "--set",
      "SVC_WORKSPACE_DIR=/w",
    ),
    { SVC_RPM: "5", SVC_WORKSPACE_DIR: "/w", port: "1" },
  );
  assert.throws(() => parsed("--set", "SVC_RPN=5"), {
    name: "CliFailure",
    message: /did you mean SVC_RPM\?$/,
  });
});
