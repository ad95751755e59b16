/** Writes `docs/settings.md`: `deno run -A scripts/gen_settings_docs.ts`. @module */
import { settingsPage } from "./settings_page.ts";

await Deno.writeTextFile(
  new URL("../docs/settings.md", import.meta.url),
  settingsPage(),
);
