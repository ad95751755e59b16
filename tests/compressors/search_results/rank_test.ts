import assert from "node:assert/strict";
import {
  DECLARES,
  IMPORTS,
  rankOf,
  USES,
  WANTED,
} from "../../../src/compressors/search_results/rank.ts";

const TERMS = ["where", "config", "resolved"];

Deno.test("rankOf puts what declares a name of the query first", () => {
  for (
    const row of [
      "export interface Config {",
      "export function resolveConfig(sources: Sources): Config {",
      "  async def resolve_config(self):",
      "pub(crate) struct Config;",
      "func (s *Server) Config() {",
      "class ResolveConfig extends Base {",
      "const CONFIG = 3;",
      "#define CONFIG 1",
      "CREATE TABLE config (",
    ]
  ) assert.equal(rankOf(row, TERMS), WANTED, row);
});

Deno.test("rankOf tells declarations, imports and uses apart", () => {
  const rows: [string, number][] = [
    ["function openApp(config: Config): App {", DECLARES],
    ["const app = openApp(config);", DECLARES],
    ["  const app = openApp(config);", USES],
    ["  return resolve(config);", USES],
    ["the function of a config", USES],
    ['import { Config } from "./config.ts";', IMPORTS],
    ["from config import resolve", IMPORTS],
    ['export { Config } from "./config.ts";', IMPORTS],
    ["// resolves the config", IMPORTS],
    ['#include "config.h"', IMPORTS],
    ["", USES],
  ];
  for (const [row, rank] of rows) assert.equal(rankOf(row, TERMS), rank, row);
});

Deno.test("rankOf wants every word of a name, and whole short ones", () => {
  assert.equal(rankOf("function configOf(flags) {", ["config"]), WANTED);
  assert.equal(rankOf("function demoConfig(port) {", ["config"]), DECLARES);
  assert.equal(rankOf("type Id = string;", ["idle"]), DECLARES);
});
