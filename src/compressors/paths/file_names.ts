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
