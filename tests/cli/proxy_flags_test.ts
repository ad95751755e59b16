import assert from "node:assert/strict";
import { Command } from "@commander-js/extra-typings";
import { addSettingFlags } from "../../src/cli/proxy_flags.ts";
import { PLANNED_FLAGS } from "../../src/settings/planned.ts";
import { ROWS } from "../../src/settings/registry.ts";
import { PATH_VARIABLES } from "../../src/settings/paths.ts";

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
});

/** What these words behind `--set` come to. */
function setWords(...words: readonly string[]) {
  return parsed(...words.flatMap((word) => ["--set", word]));
}

/** A word is refused with this. */
function refused(word: string, message: string | RegExp): void {
  const failure = { name: "CliFailure", exitCode: 2, message };
  assert.throws(() => setWords(word), failure, word);
}

Deno.test("addSettingFlags knows every variable of a setting and of a place", () => {
  const names = [...ROWS, ...PATH_VARIABLES].map(({ env }) => env);
  const values = setWords(...names.map((name) => `${name}=1`));
  assert.deepEqual(Object.keys(values).sort(), names.toSorted());
});

Deno.test("addSettingFlags takes any text as a value, further names for the first, and the last of several", () => {
  assert.deepEqual(
    setWords(
      "SVC_OTEL_METRICS_HEADERS=a=b\nc=d",
      "SVC_CHAT_TARGET_API_URL=http://a",
      "SVC_RPM=1",
      "SVC_RPM=2",
    ),
    {
      SVC_OTEL_METRICS_HEADERS: "a=b\nc=d",
      CHAT_TARGET_API_URL: "http://a",
      SVC_RPM: "2",
    },
  );
});

Deno.test("addSettingFlags names what was meant by another name, and never a value", () => {
  const meant = (name: string, hint: string) =>
    refused(
      `${name}=secret`,
      `Cannot use --set ${name}: there is no such setting; ${hint}`,
    );
  meant("rpm", "did you mean SVC_RPM?");
  meant("SVC_RMP", "did you mean SVC_RPM?");
  meant("SVC_PROXY_TOKN", "did you mean SVC_PROXY_TOKEN?");
  meant("svc_workspace_dir", "did you mean SVC_WORKSPACE_DIR?");
  meant("PATH", "docs/settings.md lists the names");
  meant("toString", "docs/settings.md lists the names");
});

Deno.test("addSettingFlags refuses a word without a name or without a value", () => {
  for (const word of ["", "secret", "=secret", "a b=secret", "--port=1"]) {
    refused(word, "Cannot use --set: must be NAME=value, e.g. SVC_RPM=60");
  }
  for (const word of ["SVC_RPM=", "SVC_RPM= "]) {
    refused(word, /^Cannot use --set SVC_RPM: a value must/);
  }
});
