import assert from "node:assert/strict";
import {
  hasFileName,
  isBulk,
  isNotable,
  mayBeNotable,
} from "../../../src/compressors/paths/file_names.ts";
import { indexLines } from "../../../src/text/lines.ts";

Deno.test("hasFileName knows names that only files have", () => {
  for (const path of ["a.ts", "x/Y.PNG", "Makefile", "d/.env", "LICENSE"]) {
    assert.ok(hasFileName(path), path);
  }
  for (const path of ["numpy", "zope.interface", "www.example.com", "v1.2.3"]) {
    assert.ok(!hasFileName(path), path);
  }
});

Deno.test("isNotable knows manifests, locks, settings and documents", () => {
  for (
    const name of [
      "README.md",
      "Dockerfile.dev",
      "package.json",
      "go.mod",
      "Cargo.lock",
      "pnpm-lock.yaml",
      "vite.config.ts",
      ".gitignore",
      "a.ts.orig",
    ]
  ) assert.ok(isNotable(name), name);
  for (const name of ["go.vim", "package.ts", "cart.ts", "lockers.md"]) {
    assert.ok(!isNotable(name), name);
  }
});

Deno.test("isBulk knows directories that nobody wrote by hand", () => {
  assert.ok(isBulk("node_modules"));
  assert.ok(!isBulk("src"));
});

Deno.test("mayBeNotable holds for every name that isNotable knows, and for few others", () => {
  const may = (name: string) => {
    const { codes } = indexLines(`src/${name}`);
    return mayBeNotable(codes, 4, codes.length);
  };
  const stems = ["README", "licence", "docker-compose", "CMakeLists", "go"];
  const known = ["x-lock", "yarn", "Dockerfile", "a.config", "\u212aey", "Z"];
  const ends = ["", ".md", ".txt", ".mod", ".lock", ".LOCK", ".json", ".yaml"];
  for (const stem of [...stems, ...known, ".env", "package", "noxfile"]) {
    for (const end of [...ends, ".ts", ".orig", ".rej", ".dev", ".py"]) {
      const name = stem + end;
      assert.ok(may(name) || !isNotable(name), name);
    }
  }
  for (const name of ["cart_reader.ts", "index.css", "b"]) {
    assert.ok(!may(name), name);
  }
});
