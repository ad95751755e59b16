/** Runs before the program and writes to stderr what it starts, in that order. */
const note = (text: string) =>
  Deno.stderr.writeSync(new TextEncoder().encode(`starts: ${text}\n`));

const nameOf = (url: string | URL) => `${url}`.split("/").at(-1);

class RecordedWorker extends Worker {
  readonly #name: string | undefined;
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    this.#name = nameOf(url);
    note(`worker ${this.#name}`);
  }
  override terminate(): void {
    note(`end of ${this.#name}`);
    super.terminate();
  }
}
globalThis.Worker = RecordedWorker;

const { isTerminal } = Deno.stderr;
let isProgram = false;
/** The program's first look at the outside world. */
Deno.stderr.isTerminal = () => {
  if (!isProgram) note("program");
  isProgram = true;
  return isTerminal.call(Deno.stderr);
};

const { fetch } = globalThis;
globalThis.fetch = (input, init) => {
  const url = input instanceof Request ? input.url : `${input}`;
  note(`fetch ${new URL(url).protocol}`);
  return fetch(input, init);
};
