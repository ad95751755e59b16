/** What callers that are not trusted do not see of a report. @module */

/**
 * Paths of what names projects, providers, models, clients, stacks, tools and single requests, and of settings. `*` stands
 * for each element of a list. Compressors, reasons and stages are words of this program, and are shown.
 */
export const WITHHELD = [
  "requests.by_provider",
  "requests.by_model",
  "requests.by_stack",
  "requests.by_project",
  "requests.by_agent",
  "agent_usage",
  "savings.per_project",
  "savings.per_model",
  "savings.per_stack",
  "savings.per_provider",
  "summary.primary_model",
  "prefix_cache.by_provider",
  "prefix_stability.last_ours",
  "retrievals.by_tool",
  "tokens_saved_by_tool",
  "cost.per_model",
  "recent_requests",
  "request_logs",
  "config",
  "otel",
  "beacon",
  "savings_history.*.provider",
  "savings_history.*.model",
  // Of the lifetime report.
  "projects",
  "by_provider",
  "by_model",
  "by_stack",
  "by_agent",
  "by_tool",
  // Of the history.
  "storage_path",
  "history.*.provider",
  "history.*.model",
  // Of a range.
  "by",
  "intervals.*.cost_by_model",
] as const;

type Path = typeof WITHHELD[number];

/** A report as callers see it: what is listed is missing for those that are not trusted. `At` is where it stands. */
export type Shown<Report, At extends string = ""> = Report extends
  readonly (infer Item)[] ? readonly Shown<Item, `${At}*.`>[]
  : Report extends object ?
      & {
        readonly [
          Key in keyof Report as `${At}${Key & string}` extends Path ? never
            : Key
        ]: Shown<Report[Key], `${At}${Key & string}.`>;
      }
      & {
        readonly [
          Key in keyof Report as `${At}${Key & string}` extends Path ? Key
            : never
        ]?: Report[Key];
      }
  : Report;

/** The report without {@linkcode WITHHELD}, all of which its type must allow to be missing; the given one is not changed. */
export function withhold<Report extends object>(report: Report): Report {
  const shown = WITHHELD.reduce<object>(
    (rest, path) => without(rest, path.split(".")),
    report,
  );
  // Only members that may be missing are.
  return shown as Report;
}

function without(value: object, [key, ...rest]: readonly string[]): object {
  if (key === undefined) return value;
  if (key === "*" && Array.isArray(value)) {
    return value.map((item: unknown) =>
      isObject(item) ? without(item, rest) : item
    );
  }
  if (!Object.hasOwn(value, key)) return value;
  const { [key]: inner, ...others } = value as Readonly<
    Record<string, unknown>
  >;
  if (rest.length === 0) return others;
  // In its place, so that the order of fields stays.
  return isObject(inner) ? { ...value, [key]: without(inner, rest) } : value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
