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
/** A model of the price file; members of any type. */
type Entry = Readonly<Record<string, unknown>>;

/** Where the models of a family are listed; earlier lists win. */
interface Listing {
  /** Values of `litellm_provider`. */
  readonly providers: readonly string[];
  /** What stands before the model's name in the key. */
  readonly prefix: string;
  /** The names that are taken. */
  readonly names: RegExp;
  /** Whether a dated name with a price of its own gets a row of its own. */
  readonly dated: boolean;
}

const CLAUDE = /^claude-(?:\d-|[a-z]+-\d|[a-z]+-preview)/;
const GPT =
  /^(?:gpt-|chatgpt-|codex-|o\d)(?!.*(?:audio|realtime|search-|tts|transcribe|image|instruct|law))/;
const GEMINI =
  /^gemini-(?:\d|flash|pro)(?!.*(?:tts|audio|image|live|computer-use|embedding|cyber))/;

const LISTINGS: readonly Listing[] = [
  { providers: ["anthropic"], prefix: "", names: CLAUDE, dated: true },
  // Claude models that the first list does not have any more.
  {
    providers: ["bedrock_converse", "bedrock"],
    prefix: "anthropic.",
    names: CLAUDE,
    dated: false,
  },
  {
    providers: ["vertex_ai-anthropic_models"],
    prefix: "vertex_ai/",
    names: CLAUDE,
    dated: true,
  },
  { providers: ["openai"], prefix: "", names: GPT, dated: true },
  { providers: ["gemini"], prefix: "gemini/", names: GEMINI, dated: true },
  {
    providers: ["vertex_ai-language-models"],
    prefix: "",
    names: GEMINI,
    dated: false,
  },
];

/** Prices in the order of a row's columns, as the price file calls them. */
const COLUMNS: readonly string[] = [
  "input_cost_per_token",
  "output_cost_per_token",
  "cache_read_input_token_cost",
  "cache_creation_input_token_cost",
  "cache_creation_input_token_cost_above_1hr",
];

const VERSION = /(?:@[\w.-]+|-v\d+(?::\d+)?)$/;
const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;
const THRESHOLD = /^input_cost_per_token_above_(\d+)k_tokens$/;

/**
 * One row per model, by name in alphabetical order; the columns are those of `src/cost/prices.ts`.
 *
 * A dated name is left out where the name without its date has the same prices.
 *
 * @param file The parsed price file.
 * @throws {RangeError} If a price is no whole number of pico-dollars per token.
 */
export function priceRows(
  file: Readonly<Record<string, Entry>>,
): Record<string, string> {
  const rows = new Map<string, { prices: string; text: string }>();
  for (const listing of LISTINGS) {
    for (const [name, entry] of modelsOf(file, listing)) {
      const plain = plainName(name);
      const row = rowOf(entry);
      const known = rows.get(plain);
      if (known === undefined) rows.set(plain, row);
      else if (
        listing.dated && name !== plain && !covers(known.prices, row.prices)
      ) {
        rows.set(name, row);
      }
    }
  }
  const sorted = [...rows].toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(sorted.map(([name, { text }]) => [name, text]));
}

/** A list's models with a price: undated names first, then the newest. */
function modelsOf(
  file: Readonly<Record<string, Entry>>,
  { providers, prefix, names }: Listing,
): [string, Entry][] {
  return Object.entries(file)
    .filter(([key, entry]) =>
      providers.includes(`${entry["litellm_provider"]}`) &&
      key.startsWith(prefix) &&
      (entry["mode"] === "chat" || entry["mode"] === "responses") &&
      names.test(key.slice(prefix.length)) &&
      picoOf(entry, COLUMNS[0]!) && picoOf(entry, COLUMNS[1]!)
    )
    .map(([key, entry]): [string, Entry] => [key.slice(prefix.length), entry])
    .toSorted(([a], [b]) => {
      const [x, y] = [plainName(a) === a, plainName(b) === b];
      return x === y ? (a < b ? 1 : -1) : x ? -1 : 1;
    });
}

function plainName(name: string): string {
  return name.replace(VERSION, "").replace(DATE, "");
}

function rowOf(entry: Entry): {
  prices: string;
  text: string;
} {
  const { litellm_provider: list, max_input_tokens: limit } = entry;
  const threshold = Object.keys(entry).map((key) => THRESHOLD.exec(key)?.[1])
    .find((thousands) => thousands !== undefined);
  const prices = COLUMNS.map((column) => usdText(entry, column));
  const above = threshold === undefined ? [] : [
    "above",
    `${threshold}000`,
    ...COLUMNS.map((column) =>
      usdText(entry, `${column}_above_${threshold}k_tokens`)
    ),
  ];
  const text = [...prices, ...above].join(" ");
  const limitText = typeof limit === "number" ? `${limit}` : "-";
  return { prices: text, text: `${list} ${limitText} ${text}` };
}

/** Whether every price of `row` stands in `known` too. */
function covers(known: string, row: string): boolean {
  const [a, b] = [known.split(" "), row.split(" ")];
  return b.every((price, i) => price === "-" || price === a[i]);
}

/** Pico-dollars per token; `undefined` where there is no price. */
function picoOf(entry: Entry, key: string): number | undefined {
  const value = entry[key];
  if (typeof value !== "number") return undefined;
  const pico = Math.round(value * 1e12);
  // The file's numbers are binary fractions of a decimal price.
  if (Math.abs(value * 1e12 - pico) > 1e-3) {
    throw new RangeError(
      `Cannot use ${key}=${value}: must be whole pico-dollars per token`,
    );
  }
  return pico;
}

/** USD per million tokens, exactly; `-` where there is no price. */
function usdText(entry: Entry, key: string): string {
  const pico = picoOf(entry, key);
  if (pico === undefined) return "-";
  const fraction = `${pico % 1e6}`.padStart(6, "0").replace(/0+$/, "");
  const whole = Math.floor(pico / 1e6);
  return fraction === "" ? `${whole}` : `${whole}.${fraction}`;
}

if (import.meta.main) {
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
}
