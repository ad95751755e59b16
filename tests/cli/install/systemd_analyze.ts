/** systemd's own check of units, where it is or can be installed. @module */

const PATH = "/usr/bin/systemd-analyze";
/** Milliseconds for an installation. */
const INSTALL_MS = 180_000;

/** What `systemd-analyze verify` says of a unit; nothing for one without a fault. `undefined`: it is not to be had. */
export async function verifyUnit(
  file: string,
  scope: "user" | "system",
): Promise<string | undefined> {
  if (!await hasSystemd()) return undefined;
  const runtime = await Deno.makeTempDir();
  try {
    const { code, stdout, stderr } = await new Deno.Command(PATH, {
      args: [...scope === "user" ? ["--user"] : [], "verify", file],
      env: { XDG_RUNTIME_DIR: runtime, LC_ALL: "C" },
      stdin: "null",
    }).output();
    const text = [stdout, stderr].map((bytes) =>
      new TextDecoder().decode(bytes)
    )
      .join("");
    return code === 0 ? text : `${text}it ended with code ${code}`;
  } finally {
    await Deno.remove(runtime, { recursive: true });
  }
}

/** Whether systemd is on this machine; it is installed where that can be done without asking anybody. */
export async function hasSystemd(): Promise<boolean> {
  return await isThere() || await installs();
}

async function isThere(): Promise<boolean> {
  return (await Deno.stat(PATH).catch(() => undefined))?.isFile ?? false;
}

/** Only where nobody has to be asked: as root, on Debian and its like. */
async function installs(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  // deno-lint-ignore no-console
  console.log("Installing systemd with apt-get, for tests of svc install");
  try {
    // Another test may be installing something else: an old list may do.
    await aptGet(["update"]);
    await aptGet(["install", "systemd"]);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return await isThere();
}

async function aptGet(args: readonly string[]): Promise<void> {
  await new Deno.Command("/usr/bin/apt-get", {
    args: [
      ...["-qq", "-y", "--no-install-recommends"],
      ...["-o", `DPkg::Lock::Timeout=${INSTALL_MS / 1000}`, ...args],
    ],
    env: { DEBIAN_FRONTEND: "noninteractive" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
    signal: AbortSignal.timeout(INSTALL_MS),
  }).output();
}
