/** Signs of the menu. @module */
import type { Section } from "../route.ts";

/** Paths in a square of 16. */
const PATHS: Readonly<Record<Section, string>> = {
  overview: "M2 2.5h5v6H2zM9 2.5h5v3H9zM9 8h5v5.5H9zM2 11h5v2.5H2z",
  time: "M2 13.5h12M4 11V8M8 11V3.5M12 11V6",
  breakdown: "M2 4h12M2 8h8M2 12h5",
  conversations: "M2 3h12v8H7l-3 2.500V11H2z",
  feed: "M1.5 8.5h3l2-5 3 9 2-4h3",
  budget:
    "M8 1.8v12.4M11 4.6C10.4 3.7 9.4 3.3 8 3.3c-1.9 0-3 .9-3 2.2 0 3 6.2 1.700 6.200 4.900 0 1.400-1.200 2.300-3.200 2.300-1.600 0-2.700-.6-3.300-1.600",
  health:
    "M8 14S2 10.300 2 6.100A3.200 3.200 0 0 1 8 4.600a3.200 3.200 0 0 1 6 1.500C14 10.300 8 14 8 14z",
  settings:
    "M2 4.500h7M13 4.500h1M2 11.500h1M7 11.500h7M11 2.700v3.600M5 9.700v3.600",
};

/** Draws the sign of a section; it says nothing to a screen reader, the text beside it does. */
export function Icon({ name }: { readonly name: Section }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
