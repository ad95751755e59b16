/** What an agent of a home would be given. @module */
import { join } from "node:path";
import type {
  Pointing,
  PointRequest,
  WrapAgent,
} from "../../../src/cli/wrap/agent.ts";
import { inHome } from "../uninstall/home.ts";

/** URL of the proxy, with a project. */
export const BASE = "http://127.0.0.1:8787/p/shop";

/** What is different from an agent without arguments in an empty home. */
export interface Circumstances
  extends Partial<Pick<PointRequest, "args" | "largeModel">> {
  /** Files by their paths in the home directory; the project is `shop`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of the files that svc has edited. */
  readonly kept?: readonly string[];
}

/** With all that every run has. */
type FullPointing =
  & Pointing
  & Required<Pick<Pointing, "variables" | "args" | "addresses">>;

/** Points an agent in a home of its own. Its path is written `~`. */
export async function pointed(
  agent: WrapAgent,
  { files = {}, env = {}, kept = [], args = [], largeModel }: Circumstances =
    {},
): Promise<FullPointing> {
  let pointing: FullPointing | undefined;
  await inHome(async (home) => {
    await home.write({ "shop/file": "", ...files });
    const io = home.io({ env: { HOME: home.path, ...env } });
    try {
      const found = await agent.point({
        env: io.env,
        files: io.files,
        cwd: join(home.path, "shop"),
        base: BASE,
        args,
        largeModel,
        kept: kept.map((name) => join(home.path, name)),
      });
      const text = JSON.stringify(found).replaceAll(home.path, "~");
      const none = { variables: {}, args: [], addresses: [] };
      pointing = { ...none, ...JSON.parse(text) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      error.message = error.message.replaceAll(home.path, "~");
      throw error;
    }
  });
  return pointing!;
}
