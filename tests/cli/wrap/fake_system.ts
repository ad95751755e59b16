/** A system made of literals. @module */
import type { Launched, WrapSystem } from "../../../src/cli/wrap/system.ts";

/** What a test sees of it. */
export interface FakeSystem extends WrapSystem {
  /** Programs that were started in the foreground. */
  readonly ran: Launched[];
  /** Programs that were started in the background. */
  readonly started: Launched[];
  /** Processes that were asked to end. */
  readonly ended: number[];
  /** Files that are held. */
  readonly held: Set<string>;
}

/** Makes one on which nothing listens; `parts` replaces what a test needs otherwise. */
export function fakeSystem(parts: Partial<WrapSystem> = {}): FakeSystem {
  const ran: Launched[] = [];
  const started: Launched[] = [];
  const ended: number[] = [];
  const held = new Set<string>();
  return {
    pid: 100,
    findProgram: (name) => Promise.resolve(`/bin/${name}`),
    runAgent(program) {
      ran.push(program);
      return Promise.resolve(0);
    },
    startBackground(program) {
      started.push(program);
      return {
        pid: 200,
        said: () => "",
        hasEnded: () => false,
        letGo() {},
      };
    },
    askToEnd: (pid) => void ended.push(pid),
    isRunning: (pid) => Promise.resolve(!ended.includes(pid)),
    isFree: () => true,
    ownerOf: () => Promise.resolve(undefined),
    hold(path) {
      held.add(path);
      return Promise.resolve({
        release: () => Promise.resolve(void held.delete(path)),
      });
    },
    isHeld: (path) => Promise.resolve(held.has(path)),
    ...parts,
    ran,
    started,
    ended,
    held,
  };
}
