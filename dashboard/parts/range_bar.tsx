/** Choosing the days that a section shows. @module */
import { useState } from "preact/hooks";
import {
  type Chosen,
  dayText,
  type Preset,
  PRESETS,
  type Range,
  rangeOf,
  zoneName,
} from "../range.ts";
import { storedText, storeText } from "../stored.ts";
import { Choice } from "./choice.tsx";

/** The days that are shown, in every section the same. */
export interface RangeState {
  /** What was chosen. */
  readonly chosen: Chosen;
  /** The same as times. */
  readonly range: Range;
  /** Chooses other days. */
  readonly choose: (chosen: Chosen) => void;
}

const KEY = "svc-range";

/** The days in force; kept in this browser. */
export function useRange(): RangeState {
  const [chosen, setChosen] = useState(storedRange);
  return {
    chosen,
    range: rangeOf(chosen, new Date()),
    choose(chosen) {
      setChosen(chosen);
      storeText(KEY, JSON.stringify(chosen));
    },
  };
}

function storedRange(): Chosen {
  const { preset, from, to } = parsed(storedText(KEY));
  return {
    preset: isPreset(preset) ? preset : "7d",
    ...typeof from === "string" && { from },
    ...typeof to === "string" && { to },
  };
}

/** Whatever is in it: what is no day is not used. */
function parsed(text: string | null): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}

function isPreset(value: unknown): value is Preset {
  return typeof value === "string" && Object.hasOwn(PRESETS, value);
}

/** Draws the choice, and says which time zone the days are in. */
export function RangeBar(
  { chosen, range, choose }: RangeState,
) {
  const now = new Date();
  const last = dayText(range.until - 1);
  const day = (name: "from" | "to") => (
    <input
      type="date"
      aria-label={name === "from" ? "First day" : "Last day"}
      value={chosen[name]}
      max={dayText(now.getTime())}
      onChange={({ currentTarget: { value } }) =>
        value !== "" && choose({ ...chosen, [name]: value })}
    />
  );
  return (
    <>
      <Choice
        label="Days"
        options={Object.entries(PRESETS) as [Preset, string][]}
        value={chosen.preset}
        onChange={(preset) =>
          choose(
            preset === "custom"
              ? { preset, from: dayText(range.from), to: last }
              : { preset },
          )}
      />
      {chosen.preset === "custom" && (
        <span class="days">{day("from")} – {day("to")}</span>
      )}
      <span class="soft small">Times in {zoneName(now)}</span>
    </>
  );
}
