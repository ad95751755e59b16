/** The page in a real browser: one file, so that there is one browser. */
import "./section_cases.ts";
import "./feed_cases.ts";
import "./settings_cases.ts";
import "./page_cases.ts";
import "./real_proxy_cases.ts";
