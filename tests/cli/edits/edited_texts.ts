/** Generated configurations that may hold the values that `svc wrap --keep` sets. @module */
import fc from "fast-check";
import type { AgentId } from "../../../src/cli/agents/agent.ts";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import type { WantedValue } from "../../../src/cli/edits/file_plan.ts";
import { VALUE_FORMATS } from "../../../src/cli/edits/value_format.ts";
import { CONFIG_TEXTS } from "../agents/config_texts.ts";

/** A line and a table of TOML. */
export function codexProvider(base: string): readonly WantedValue[] {
  return [
    { path: ["model_provider"], value: "svc" },
    {
      path: ["model_providers", "svc"],
      value: {
        name: "svc",
        base_url: `${base}/v1`,
        wire_api: "responses",
        requires_openai_auth: true,
      },
    },
  ];
}

/** Files of an agent: empty ones, ones with a mark at the start, and ones with some of the values set otherwise. */
export function ownKeyTexts(
  id: AgentId,
  values: (base: string) => readonly WantedValue[],
): fc.Arbitrary<string> {
  const { format } = KEEPABLE[id];
  const rules = VALUE_FORMATS[format];
  const theirs = values("https://gateway.example");
  const texts = fc.oneof(
    CONFIG_TEXTS[id === "claude" ? "opencode" : id],
    fc.constantFrom("", "\n", "\uFEFF", " \r\n"),
    id === "codex"
      ? fc.constantFrom("# ünï\n", "# [a]\r\nx = 1")
      : fc.constantFrom("{}", '{"ü": [1, {}], }', '\uFEFF{\n\t"env": {},\n}'),
  );
  return fc.tuple(texts, fc.subarray([...theirs])).map(([text, some]) =>
    some.reduce((now, { path, value }) => rules.set(now, path, value), text)
  );
}
