/** Names that only a file has, and names that a reader looks for. @module */

const EXTENSIONS = new Set(
  ("ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi pyx ipynb rb rs go java kt kts scala groovy gradle c h cc cpp " +
    "cxx hh hpp hxx m mm swift cs fs vb csproj sln php pl pm lua r jl ex exs erl hrl hs ml mli clj cljs el lisp zig nim " +
    "dart sh bash zsh fish ps1 bat cmd sql graphql gql proto thrift html htm css scss sass less xml xsl xsd svg json " +
    "jsonc json5 jsonl ndjson yaml yml toml ini cfg conf env properties lock md mdx markdown rst txt tex adoc csv tsv " +
    "parquet avro log out diff patch png jpg jpeg gif webp ico bmp tif tiff pdf doc docx xls xlsx ppt pptx odt mp3 mp4 " +
    "wav ogg webm mov avi ttf otf woff woff2 eot zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm o a so dll dylib exe " +
    "bin dat db sqlite wasm map snap pem crt key pub tf tfvars hcl dockerfile mk cmake bazel bzl nix tmpl tpl ejs hbs " +
    "njk jinja j2 po pot mo plist class pyc rake gemspec podspec lockb pid sock bak orig rej tmp sample example")
    .split(" "),
);

/** Names, without their extension, of which each list has a few and a reader looks for. */
const DOCUMENTS = new Set(
  ("readme license licence copying changelog changes contributing authors notice security agents claude makefile " +
    "gnumakefile dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile justfile brewfile " +
    "docker-compose codeowners").split(" "),
);
/** Names of manifests and settings. */
const MANIFESTS = new Set(
  ("compose.yml compose.yaml package.json cargo.toml go.mod go.sum go.work pyproject.toml setup.py setup.cfg " +
    "requirements.txt pipfile tsconfig.json jsconfig.json deno.json deno.jsonc composer.json pom.xml build.gradle " +
    "build.gradle.kts settings.gradle settings.gradle.kts gradlew mvnw cmakelists.txt configure meson.build tox.ini " +
    "noxfile.py manage.py build.sbt mix.exs build.zig pubspec.yaml package.swift conanfile.py conanfile.txt flake.nix")
    .split(" "),
);
const BARE =
  /(?:^|[\\/])(?:\.[A-Za-z][\w.-]*|[A-Z][a-z]*file|LICENSE|README|AUTHORS|NOTICE|COPYING|CODEOWNERS)$/;

const DOT = 46;
/** The bit by which small letters differ from capitals. */
const CASE = 32;
const LETTER_J = 106;
const LETTER_K = 107;
const LETTER_L = 108;
const LETTER_O = 111;
const LETTER_R = 114;
const LETTER_Y = 121;

/** Whether a path ends with a name that only a file has. */
export function hasFileName(path: string): boolean {
  const dot = path.lastIndexOf(".");
  if (dot > 0 && EXTENSIONS.has(path.slice(dot + 1).toLowerCase())) return true;
  return BARE.test(path);
}

/** Whether a base name is one that a reader looks for: a readme, a manifest, a lock, a configuration. */
export function isNotable(name: string): boolean {
  const lower = name.toLowerCase();
  const dot = lower.indexOf(".", 1);
  const stem = dot < 0 ? lower : lower.slice(0, dot);
  return DOCUMENTS.has(stem) || MANIFESTS.has(lower) || lower.startsWith(".") ||
    lower.endsWith(".lock") ||
    lower.endsWith("-lock.json") || lower.endsWith("-lock.yaml") ||
    lower.includes(".config.") || lower.startsWith("dockerfile.") ||
    lower.endsWith(".orig") || lower.endsWith(".rej");
}

/** For each first and last letter, a bit for each length that a notable name has before its first dot. */
const LENGTHS = lengthsOf([...DOCUMENTS, ...MANIFESTS]);

/**
 * Whether the base name `[start, end)` may be one that {@linkcode isNotable} knows: cheap, and
 * never `false` for such a name.
 */
export function mayBeNotable(
  codes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const first = codes[start]!;
  if (first === DOT || first > 127) return true;
  let dot = 0;
  for (let at = start + 1; at < end; at++) {
    const code = codes[at]!;
    // A letter above ASCII may become one of ASCII.
    if (code > 127 || (code === DOT && dot > 0)) return true;
    if (code === DOT) dot = at;
  }
  const stem = dot === 0 ? end : dot;
  const lengths = LENGTHS[((first & 31) << 5) | (codes[stem - 1]! & 31)]!;
  if ((lengths >>> Math.min(31, stem - start)) & 1) return true;
  if (dot === 0) return false;
  // `.lock`, `-lock.json`, `.orig`, `.rej`.
  const next = codes[dot + 1]! | CASE;
  if (next === LETTER_L || next === LETTER_O || next === LETTER_R) return true;
  return (codes[dot - 1]! | CASE) === LETTER_K &&
    (next === LETTER_J || next === LETTER_Y);
}

function lengthsOf(names: readonly string[]): Uint32Array {
  const lengths = new Uint32Array(32 * 32);
  for (const name of names) {
    const dot = name.indexOf(".", 1);
    const length = dot < 0 ? name.length : dot;
    const ends = ((name.charCodeAt(0) & 31) << 5) |
      (name.charCodeAt(length - 1) & 31);
    lengths[ends]! |= 1 << Math.min(31, length);
  }
  return lengths;
}

const BULK = new Set(
  ("node_modules .git .hg .svn vendor third_party dist build out target .next .nuxt .output .cache .venv venv env " +
    "site-packages __pycache__ .tox .mypy_cache .pytest_cache .ruff_cache .gradle .idea coverage bower_components Pods " +
    "DerivedData .terraform .yarn .pnpm .turbo .parcel-cache obj")
    .split(" "),
);

/** Whether a directory of this name holds what nobody wrote by hand. */
export function isBulk(name: string): boolean {
  return BULK.has(name);
}
