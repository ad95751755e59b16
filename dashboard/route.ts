/** Which section is open: the part of the address behind `#/`. @module */
import { useEffect, useState } from "preact/hooks";

/** The sections, in the order of the menu. */
export const SECTIONS = {
  overview: "Overview",
  time: "Over time",
  breakdown: "Breakdown",
  conversations: "Conversations",
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
  /** Which requests the feed lists: all, unless it says more. */
  readonly filter: FeedFilter;
}

/** Which requests the feed lists. */
export interface FeedFilter {
  /** Only those of this conversation. */
  readonly conversation?: string;
  /** Only those with a problem. */
  readonly problems?: boolean;
}

/**
 * Reads an address.
 *
 * @param hash `#/section/detail`; anything else is the start page.
 * @param path Of the document: `/dashboard/settings` starts with the settings.
 */
export function routeOf(hash: string, path: string): Route {
  const [place = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [section = "", detail = ""] = place.split("/");
  if (Object.hasOwn(SECTIONS, section)) {
    return {
      section: section as Section,
      detail: decoded(detail),
      filter: filterOf(new URLSearchParams(query)),
    };
  }
  const settings = path.replace(/\/+$/, "").endsWith("/settings");
  return {
    section: settings ? "settings" : "overview",
    detail: "",
    filter: {},
  };
}

function filterOf(query: URLSearchParams): FeedFilter {
  const conversation = query.get("conversation");
  return {
    ...conversation && { conversation },
    ...query.get("problems") === "1" && { problems: true },
  };
}

/** The filter as a query, for addresses within the page and of the proxy; empty for none. */
export function queryOf({ conversation, problems }: FeedFilter): string {
  const query = new URLSearchParams();
  if (conversation !== undefined) query.set("conversation", conversation);
  if (problems) query.set("problems", "1");
  return query.toString();
}

/** The address of a section, for links. */
export function hrefOf(
  section: Section,
  detail = "",
  filter: FeedFilter = {},
): string {
  const query = queryOf(filter);
  return [
    `#/${section}`,
    detail && `/${encodeURIComponent(detail)}`,
    query && `?${query}`,
  ].join("");
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
