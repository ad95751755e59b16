/**
 * Flips operators of the program one at a time and runs the tests of their module: a mutant that no test notices says
 * what is not tested. Works in a checkout of HEAD of its own.
 *
 * Usage: `deno run -A scripts/mutants.ts [--seed 1] [--count 300] [MODULE ...]`. Prints the survivors and the share that
 * was killed.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

const MODULES = "bytes ccr pipeline proxy upstream ledger cost".split(" ");
const FLIPPED: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
};
/** Seconds after which a mutant that loops is killed. */
const LONGEST = "120";

interface Mutant {
  readonly file: string;
  readonly at: number;
  readonly operator: string;
}

function git(...args: string[]): void {
  const { success, stderr } = new Deno.Command("git", { args }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

function* mutantsIn(root: string, folder: string): Generator<Mutant> {
  for (const { name, isDirectory } of Deno.readDirSync(join(root, folder))) {
    const file = join(folder, name);
    if (isDirectory) yield* mutantsIn(root, file);
    else if (name.endsWith(".ts")) {
      const text = Deno.readTextFileSync(join(root, file));
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
      for (const node of operatorsIn(source)) {
        const at = node.getStart(source);
        yield { file, at, operator: node.getText(source) };
      }
    }
  }
}

/** Operators between two values that can be flipped. */
function operatorsIn(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (one: ts.Node) => {
    ts.forEachChild(one, visit);
    if (!ts.isBinaryExpression(one)) return;
    const { operatorToken: operator } = one;
    if (ts.tokenToString(operator.kind)! in FLIPPED) found.push(operator);
  };
  visit(node);
  return found;
}

/** Numbers in [0, 1) that depend on the seed alone: a linear congruential generator, Numerical Recipes 7.1. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed >>> 0;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Whether a test of the file, or else one of its module, fails. */
function isKilled(root: string, { file, at, operator }: Mutant): boolean {
  const path = join(root, file);
  const source = Deno.readTextFileSync(path);
  const rest = source.slice(at + operator.length);
  Deno.writeTextFileSync(path, source.slice(0, at) + FLIPPED[operator] + rest);
  const own = file.replace(/^src(.*)\.ts$/, "tests$1_test.ts");
  const all = file.replace(/^src\/(\w+)\/.*/, "tests/$1");
  try {
    return [own, all, `${all}_test.ts`]
      .filter((tests) => existsSync(join(root, tests)))
      .some((tests) => {
        const options = ["-A", "--no-check", "--quiet", "--fail-fast"];
        const { success } = new Deno.Command("timeout", {
          args: [LONGEST, Deno.execPath(), "test", ...options, tests],
          cwd: root,
        }).outputSync();
        return !success;
      });
  } finally {
    Deno.writeTextFileSync(path, source);
  }
}

const { values: { seed, count }, positionals } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "300" },
  },
  allowPositionals: true,
});
const root = await Deno.makeTempDir({ prefix: "svc-mutants-" });
git("worktree", "add", "--detach", root, "HEAD");
try {
  const folders = positionals.length > 0 ? positionals : MODULES;
  const all = folders.flatMap((name) => [...mutantsIn(root, `src/${name}`)]);
  const order = numbers(Number(seed));
  const sample = all.map((mutant) => ({ mutant, key: order.next().value! }))
    .sort((a, b) => a.key - b.key).slice(0, Number(count));
  let killed = 0;
  for (const { mutant } of sample) {
    const { file, at, operator } = mutant;
    if (isKilled(root, mutant)) {
      killed++;
      continue;
    }
    const line = Deno.readTextFileSync(join(root, file)).slice(0, at)
      .split("\n").length;
    // deno-lint-ignore no-console
    console.log(`${file}:${line}: ${operator} -> ${FLIPPED[operator]}`);
  }
  // deno-lint-ignore no-console
  console.log(`${killed} of ${sample.length} mutants killed`);
} finally {
  git("worktree", "remove", "--force", root);
}
