/** Type declarations of the npm package: one `.d.ts` per source file that the exported types need. @module */
import ts from "typescript";

/** Comments hold examples, which may name anything. */
const COMMENT = /\/\*\*[\s\S]*?\*\//g;

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
};

/**
 * Declares what `entry` exports, and whatever those declarations name, file by file.
 *
 * @param root Folder of the sources; paths of the result are relative to it.
 * @param entry Path below `root`.
 * @returns Text by path, `src/core/mode.d.ts` for `src/core/mode.ts`; imports end in `.js`.
 * @throws {Error} If a declaration cannot be written without checking types, or needs a package or the runtime's names.
 */
export async function declarations(
  root: URL,
  entry: string,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(declared(path))) continue;
    const text = declarationOf(
      path,
      await Deno.readTextFile(new URL(path, root)),
    );
    const { output, sources } = forNode(path, text);
    texts.set(declared(path), output);
    waiting.push(...sources);
  }
  const main = declared(entry);
  // Declared by the runtime's types or by this library of the compiler, which few projects name.
  const head = '/// <reference lib="esnext.disposable" />\n';
  return texts.set(main, head + texts.get(main));
}

function declared(path: string): string {
  return path.replace(/\.ts$/, ".d.ts");
}

function declarationOf(path: string, source: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: OPTIONS,
  });
  const [first] = diagnostics;
  if (first === undefined) return outputText;
  const reason = ts.flattenDiagnosticMessageText(first.messageText, " ");
  throw new Error(`Cannot declare the types of ${path}: ${reason}`);
}

/** Points imports at the files that are beside it in the package. */
function forNode(path: string, text: string) {
  const refuse = (why: string): Error =>
    new Error(`Cannot declare the types of ${path}: ${why}`);
  const sources: string[] = [];
  let output = text;
  const { importedFiles } = ts.preProcessFile(text, true, true);
  // From the end on: the places of the others stay.
  for (const { fileName, pos } of importedFiles.toReversed()) {
    if (fileName.startsWith("node:")) {
      throw refuse(`they need ${fileName}, which users may have no types of`);
    }
    if (!/^\.\.?\/.*\.ts$/.test(fileName)) {
      throw refuse(`they need "${fileName}", which the package does not hold`);
    }
    sources.unshift(new URL(fileName, `file:///${path}`).pathname.slice(1));
    const extension = pos + 1 + fileName.length - "ts".length;
    output = `${output.slice(0, extension)}js${output.slice(extension + 2)}`;
  }
  if (/\bDeno\b/.test(output.replaceAll(COMMENT, ""))) {
    throw refuse("they name Deno, which other runtimes do not have");
  }
  return { output, sources };
}
