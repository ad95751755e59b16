/** Proxies that answer, made of literals. @module */
import type { CliIo } from "../../../src/cli/io.ts";
import { VERSION } from "../../../src/version.ts";

/** Asks a proxy that answers as long as `pid` gives a number. */
export function askedProxy(
  pid: () => number | undefined,
  facts: Readonly<Record<string, unknown>> = {},
  version: string = VERSION,
): CliIo["ask"] {
  return () => {
    const number = pid();
    if (number === undefined) return Promise.resolve(undefined);
    const config = {
      pid: number,
      anthropic_api_url: "https://api.anthropic.com",
      openai_api_url: "https://api.openai.com",
      ...facts,
    };
    const text = JSON.stringify({ service: "svc-proxy", version, config });
    return Promise.resolve({ status: 200, text });
  };
}
