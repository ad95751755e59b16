/** Light, dark, or as the system says. @module */
import { useEffect, useState } from "preact/hooks";

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
    store(theme);
  }, [theme]);
  return [theme, setTheme];
}

function storedTheme(): Theme {
  const text = withStorage((storage) => storage.getItem(KEY));
  return THEMES.find((theme) => theme === text) ?? "system";
}

function store(theme: Theme): void {
  withStorage((storage) => storage.setItem(KEY, theme));
}

/** Where the browser keeps nothing, or no more, the choice lasts as long as the page. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return undefined;
  }
}
