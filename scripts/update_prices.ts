/**
 * Writes `src/cost/price_table.json` from LiteLLM's price file. No network: get the file first.
 *
 * ```sh
 * pip download litellm --no-deps
 * unzip litellm-*.whl litellm/model_prices_and_context_window_backup.json
 * deno run -R -W scripts/update_prices.ts <price file> <version of the wheel> <today as YYYY-MM-DD>
 * ```
 *
 * The output is the same on every run. Look at its diff: a price that fell to a tenth is a mistake of the source more often than news.
 *
 * @module
 */
import { priceRows } from "./price_rows.ts";

const [path, version, date] = Deno.args;
if (
  path === undefined || !/^\d+(\.\d+)+/.test(version ?? "") ||
  !/^\d{4}-\d{2}-\d{2}$/.test(date ?? "")
) {
  throw new RangeError(
    "Cannot start: give the price file, the version and the date (YYYY-MM-DD)",
  );
}
const models = priceRows(JSON.parse(await Deno.readTextFile(path)));
const table = {
  source: { package: "litellm", registry: "PyPI", version, date },
  columns:
    "list, context limit in tokens, USD per million tokens: input, output, cache read, 5-minute write, 1-hour write; the same above a prompt of so many tokens",
  models,
};
await Deno.writeTextFile(
  new URL("../src/cost/price_table.json", import.meta.url),
  JSON.stringify(table, null, 2) + "\n",
);
