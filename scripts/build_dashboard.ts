/**
 * Writes `src/proxy/dashboard_page.ts`: the sources in `dashboard/` as one page, and the policy that allows its script
 * and its styles and nothing else. Usage: `deno run -A scripts/build_dashboard.ts`.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build, type Plugin, stop } from "esbuild";

const SOURCES = new URL("../dashboard/", import.meta.url);
const TARGET = new URL("../src/proxy/dashboard_page.ts", import.meta.url);

/** Finds packages where Deno keeps them: there is no node_modules folder. */
const fromDeno: Plugin = {
  name: "from_deno",
  setup({ onResolve }) {
    onResolve(
      { filter: /^[^./]/ },
      ({ path, kind }) =>
        kind === "entry-point"
          ? undefined
          : { path: fileURLToPath(import.meta.resolve(path)) },
    );
  },
};

/** The text that belongs into `src/proxy/dashboard_page.ts`. Starts one process of the bundler and ends it. */
export async function dashboardModule(): Promise<string> {
  try {
    const [script, style, frame] = await Promise.all([
      bundle("app.tsx"),
      bundle("style.css"),
      Deno.readTextFile(new URL("page.html", SOURCES)),
    ]);
    // Functions, because a replacement text may hold `$&`. The digests are those of the whole elements.
    const page = frame
      .trim()
      .replaceAll(/\s+/g, " ")
      .replaceAll("> <", "><")
      .replace(/ \/\*style\*\/ /, () => style)
      .replace(/ \/\*script\*\/ /, () => script);
    return moduleOf(page, policyOf(script, style));
  } finally {
    await stop();
  }
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, SOURCES))],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    format: "iife",
    target: ["chrome123", "firefox120", "safari17.5"],
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    plugins: [fromDeno],
    tsconfigRaw: "{}",
  });
  return outputFiles[0]!.text.trim();
}

function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function digestOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function moduleOf(page: string, policy: string): string {
  return `/** The dashboard, made by \`scripts/build_dashboard.ts\` of \`dashboard/\`; not edited by hand. @module */

/** The whole page, script and styles in it. */
export const DASHBOARD_PAGE =
  ${JSON.stringify(page)};

/** Its content security policy: its own script and styles by their digests, requests to its own origin, nothing else. */
export const DASHBOARD_POLICY =
  ${JSON.stringify(policy)};
`;
}

if (import.meta.main) await Deno.writeTextFile(TARGET, await dashboardModule());
