/** Every feature, whether it is on, and which setting says so. @module */
import type { ConfigSources } from "./config_parts.ts";
import { type Given, isDefault } from "./given.ts";
import { ROWS, SETTINGS } from "./registry.ts";
import { resolveConfig } from "./resolve.ts";
import { type Channel, type FeatureRow, FEATURES } from "./rollout.ts";
import type { SettingRow } from "./row.ts";

/** One feature as programs see it. */
export interface FeatureState {
  /** Its name. */
  readonly name: string;
  /** First channel on which it may be asked for. */
  readonly channel: Channel;
  /** Whether a proxy that is started with these settings has it. */
  readonly state: "on" | "off" | "not in this version";
  /** Setting that decides, with its source; `default` where none was given. */
  readonly why: string;
  /** Variables of its own settings. */
  readonly settings: readonly string[];
}

/** What decides about features. */
interface Facts {
  readonly enabled: readonly string[];
  readonly refused: readonly string[];
  readonly given: Readonly<Record<string, Given>>;
  readonly wanted: readonly string[];
  readonly disabled: readonly string[];
}

/**
 * Looks at all features.
 *
 * @throws {RangeError} If a setting cannot be used: no proxy would start.
 */
export function featureStates(
  sources: ConfigSources,
) {
  const { features, given, warnings } = resolveConfig(sources);
  const namesIn = (row: SettingRow<readonly string[]>) => {
    const raw = given[row.env]?.raw;
    return raw === undefined ? [] : row.parse(raw);
  };
  const facts: Facts = {
    ...features,
    given,
    wanted: namesIn(SETTINGS.features),
    disabled: namesIn(SETTINGS.disableFeatures),
  };
  const states = Object.entries<FeatureRow>(FEATURES)
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, row]): FeatureState => ({
      name,
      channel: row.channel,
      state: row.available === false
        ? "not in this version"
        : features.enabled.includes(name)
        ? "on"
        : "off",
      why: whyOf(name, row, facts),
      settings: row.settings ?? [],
    }));
  return {
    /** In the order of the alphabet. */
    features: states,
    /** One sentence each. */
    warnings: warnings.filter((text) => ABOUT_FEATURES.test(text)),
  };
}

const ABOUT_FEATURES = /\b[Ff]eature \w+ |_FEATURES names /;

function whyOf(
  name: string,
  { available, channel, settings = [] }: FeatureRow,
  { given, wanted, disabled, refused }: Facts,
): string {
  if (available === false) return "-";
  if (disabled.includes(name)) {
    return sourceText(SETTINGS.disableFeatures.env, given);
  }
  const own = settings.filter((env) => given[env] !== undefined);
  const changed = own.filter((env) => !isDefaultOf(env, given[env]!.raw));
  const asked = wanted.includes(name) ? [SETTINGS.features.env] : [];
  const deciding = [changed, asked, own].find((some) => some.length > 0) ?? [];
  if (deciding.length === 0) return "default";
  const said = deciding.map((env) => sourceText(env, given)).join(", ");
  const isRefused = refused.some((one) => one.startsWith(`Feature ${name} `));
  return isRefused
    ? `${said}; needs ${SETTINGS.rolloutChannel.env}=${channel}`
    : said;
}

function isDefaultOf(env: string, raw: string): boolean {
  const row = ROWS.find((row) => row.env === env);
  return row !== undefined && isDefault(row, raw);
}

function sourceText(env: string, given: Facts["given"]): string {
  const source = given[env]?.source;
  return source === undefined ? env : `${env} (${source})`;
}
