/** Golden inputs and generated logs for the tests of the log compressor. @module */
import cargoTest from "../../golden/log/cargo_test.txt" with { type: "text" };
import ciAnsi from "../../golden/log/ci_ansi.txt" with { type: "text" };
import dockerBuild from "../../golden/log/docker_build.txt" with {
  type: "text",
};
import foldRepeats from "../../golden/log/fold_repeats.txt" with {
  type: "text",
};
import foldSlog from "../../golden/log/fold_slog.txt" with { type: "text" };
import foldSyslog from "../../golden/log/fold_syslog.txt" with { type: "text" };
import goTest from "../../golden/log/go_test.txt" with { type: "text" };
import jest from "../../golden/log/jest.txt" with { type: "text" };
import logfmt from "../../golden/log/logfmt.txt" with { type: "text" };
import makeGcc from "../../golden/log/make_gcc.txt" with { type: "text" };
import npmInstall from "../../golden/log/npm_install.txt" with { type: "text" };
import pytestVerbose from "../../golden/log/pytest_verbose.txt" with {
  type: "text",
};
import service from "../../golden/log/service.txt" with { type: "text" };
import slog from "../../golden/log/slog.txt" with { type: "text" };
import unchanged from "../../golden/log/unchanged.txt" with { type: "text" };
import type { CompressContext } from "../../../src/core/compressor.ts";

/** An input and what becomes of it. */
export interface Golden {
  readonly name: string;
  readonly input: string;
  readonly expected: string;
}

/** All golden files; one whose name starts with `fold_` is for a context that may not elide. */
export const GOLDENS: readonly Golden[] = Object.entries({
  cargoTest,
  ciAnsi,
  dockerBuild,
  fold_repeats: foldRepeats,
  fold_slog: foldSlog,
  fold_syslog: foldSyslog,
  goTest,
  jest,
  logfmt,
  makeGcc,
  npmInstall,
  pytestVerbose,
  service,
  slog,
  unchanged,
}).map(([name, file]) => goldenOf(name, file));

function goldenOf(name: string, file: string): Golden {
  const at = file.indexOf("\n-----\n");
  return {
    name,
    input: file.slice(0, at + 1),
    expected: file.slice(at + "\n-----\n".length),
  };
}

/** A context; four characters count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(text.length / 4),
  };
}

/** The input of a golden file. */
export function inputOf(name: string): string {
  return GOLDENS.find((golden) => golden.name === name)!.input;
}

/** Lines of a service log, one a second, of a few kinds. */
export function serviceLines(count: number): string[] {
  const kinds = [
    (i: number) => `INFO  [http-${i % 8}] GET /health 200 ${i % 70}ms`,
    (i: number) =>
      `INFO  [http-${i % 8}] GET /v1/users/${i * 7} 200 ${i % 50}ms`,
    (i: number) => `DEBUG [cache] hit ratio ${(i * 37) % 100} size ${i * 3}`,
    (i: number) => `INFO  [sync] stored ${i % 40} rows, 0 errors, skipped=0`,
  ];
  return Array.from({ length: count }, (_, i) => {
    const clock = new Date(1_770_000_000_000 + i * 1000).toISOString();
    return `${clock} ${kinds[(i * 7 + (i >> 3)) % kinds.length]!(i)}`;
  });
}
