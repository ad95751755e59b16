/** Light, dark, or as the system says. @module */
import { useEffect, useState } from "preact/hooks";
import { storedText, storeText } from "./stored.ts";

/** What can be chosen, in the order of the switch. */
export const THEMES = ["system", "light", "dark"] as const;

/** One of them. */
export type Theme = typeof THEMES[number];

const KEY = "svc-theme";

/** The theme in force and what changes it; kept in this browser where it allows that. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset["theme"];
    else dataset["theme"] = theme;
    storeText(KEY, theme);
  }, [theme]);
  return [theme, setTheme];
}

function storedTheme(): Theme {
  const stored = storedText(KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}
