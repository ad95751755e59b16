/** The frame: menu, state of the connection, the section that is open. @module */
import { type ComponentChildren, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Health, Stats } from "./api.ts";
import { span, timeOfDay } from "./format.ts";
import { Icon } from "./parts/icon.tsx";
import { Choice } from "./parts/choice.tsx";
import { type Polled, usePolled } from "./poll.ts";
import {
  hrefOf,
  queryOf,
  type Route,
  type Section,
  SECTIONS,
  useRoute,
} from "./route.ts";
import { storedText, storeText } from "./stored.ts";
import { type RangeState, useRange } from "./parts/range_bar.tsx";
import { Breakdown } from "./views/breakdown.tsx";
import { Budget } from "./views/budget.tsx";
import { Conversations } from "./views/conversations.tsx";
import { Feed } from "./views/feed.tsx";
import { HealthView } from "./views/health.tsx";
import { Overview } from "./views/overview.tsx";
import { OverTime } from "./views/over_time.tsx";
import { Settings } from "./views/settings.tsx";

/** Milliseconds between two questions for the figures. */
const STATS_MS = 3000;
/** Milliseconds between two questions whether all is well. */
const HEALTH_MS = 10_000;

/** The whole page. */
function App() {
  const route = useRoute();
  const stats = usePolled<Stats>("/stats?cached=1", STATS_MS);
  const health = usePolled<Health>("/health", HEALTH_MS);
  const days = useRange();
  const { section } = route;
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = `${SECTIONS[section]} · svc`;
    // Who follows a link of the menu goes on reading where the section begins.
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [section]);
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          heading.current?.focus();
        }}
      >
        Skip to content
      </a>
      <div class="frame">
        <Side
          open={section}
          health={health.data}
          isUp={stats.failedSince === undefined}
        />
        <main id="content">
          <div class="head">
            <h1 ref={heading} tabIndex={-1}>{SECTIONS[section]}</h1>
            <Connection stats={stats} />
          </div>
          <Unreachable stats={stats} />
          <Content route={route} stats={stats} health={health} days={days} />
        </main>
      </div>
    </>
  );
}

function Content(
  { route: { section, detail, filter }, stats, health, days }: {
    route: Route;
    stats: Polled<Stats>;
    health: Polled<Health>;
    days: RangeState;
  },
): ComponentChildren {
  switch (section) {
    case "overview":
      return <Overview stats={stats} days={days} />;
    case "time":
      return <OverTime days={days} />;
    case "breakdown":
      return <Breakdown stats={stats} days={days} />;
    case "conversations":
      return <Conversations days={days} />;
    case "feed":
      return <Feed key={queryOf(filter)} open={detail} filter={filter} />;
    case "budget":
      return <Budget stats={stats} />;
    case "health":
      return <HealthView stats={stats} health={health} />;
    case "settings":
      return <Settings />;
  }
}

function Side({ open, health, isUp }: {
  open: Section;
  health: Health | undefined;
  isUp: boolean;
}) {
  const [theme, setTheme] = useTheme();
  return (
    <header class="side">
      <div class="pinned">
        <div class="brand">
          <b>svc</b>
          <span>{health && `v${health.version}`}</span>
        </div>
        <nav class="nav" aria-label="Sections">
          <ul>
            {(Object.keys(SECTIONS) as Section[]).map((section) => (
              <li key={section}>
                <a
                  href={hrefOf(section)}
                  aria-current={section === open ? "page" : undefined}
                >
                  <Icon name={section} />
                  {SECTIONS[section]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <footer>
          {health && (
            <dl>
              <dt>Proxy</dt>
              <dd>{location.host}</dd>
              <dt>{isUp ? "Up" : "State"}</dt>
              <dd>{isUp ? span(health.uptime_seconds) : "not reachable"}</dd>
            </dl>
          )}
          <Choice
            label="Colours"
            options={THEMES.map((name) => [name, THEME_NAMES[name]] as const)}
            value={theme}
            onChange={setTheme}
          />
        </footer>
      </div>
    </header>
  );
}

const THEME_NAMES = { system: "Auto", light: "Light", dark: "Dark" } as const;

/** What can be chosen, in the order of the switch. */
const THEMES = ["system", "light", "dark"] as const;

/** One of them. */
type Theme = typeof THEMES[number];

const THEME_KEY = "svc-theme";

/** The theme in force and what changes it; kept in this browser where it allows that. */
function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset["theme"];
    else dataset["theme"] = theme;
    storeText(THEME_KEY, theme);
  }, [theme]);
  return [theme, setTheme];
}

function storedTheme(): Theme {
  const stored = storedText(THEME_KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

function Connection(
  { stats: { at, failedSince, data } }: { stats: Polled<Stats> },
) {
  const state = failedSince ? "off" : data === undefined ? "idle" : "";
  return (
    <p class="status">
      <span class={`dot ${state}`} aria-hidden="true" />
      {failedSince
        ? "Not reachable"
        : at
        ? `Updated ${timeOfDay(at)}`
        : "Connecting …"}
    </p>
  );
}

function Unreachable({ stats }: { stats: Polled<Stats> }) {
  const { failedSince, failure, at } = stats;
  return (
    <div role="alert">
      {failedSince && (
        <div class="notice bad banner">
          <h2>The proxy is not reachable since {timeOfDay(failedSince)}</h2>
          <p>
            {at
              ? `The figures are those of ${timeOfDay(at)}. `
              : "There are no figures yet. "}
            Trying again every few seconds ({failure}).
          </p>
        </div>
      )}
    </div>
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("Cannot draw: the page has no #root");
root.replaceChildren();
render(<App />, root);
