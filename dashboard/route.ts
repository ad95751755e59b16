/** Which section is open: the part of the address behind `#/`. @module */
import { useEffect, useState } from "preact/hooks";

/** The sections, in the order of the menu. */
export const SECTIONS = {
  overview: "Overview",
  time: "Over time",
  breakdown: "Breakdown",
  feed: "Live feed",
  budget: "Budget",
  health: "Health",
  settings: "Settings",
} as const;

/** Name of a section in addresses. */
export type Section = keyof typeof SECTIONS;

/** An address within the page. */
export interface Route {
  /** What is shown. */
  readonly section: Section;
  /** What of it: the id of a request in the feed, else empty. */
  readonly detail: string;
}

/**
 * Reads an address.
 *
 * @param hash `#/section/detail`; anything else is the start page.
 * @param path Of the document: `/dashboard/settings` starts with the settings.
 */
export function routeOf(hash: string, path: string): Route {
  const [section = "", detail = ""] = hash.replace(/^#\/?/, "").split("/");
  if (Object.hasOwn(SECTIONS, section)) {
    return { section: section as Section, detail: decoded(detail) };
  }
  const settings = path.replace(/\/+$/, "").endsWith("/settings");
  return { section: settings ? "settings" : "overview", detail: "" };
}

/** The address of a section, for links. */
export function hrefOf(section: Section, detail = ""): string {
  return detail === ""
    ? `#/${section}`
    : `#/${section}/${encodeURIComponent(detail)}`;
}

/** The route in force; the component is drawn anew when it changes. */
export function useRoute(): Route {
  const now = () => routeOf(location.hash, location.pathname);
  const [route, setRoute] = useState(now);
  useEffect(() => {
    const onChange = () => setRoute(now());
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return route;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return "";
    throw error;
  }
}
