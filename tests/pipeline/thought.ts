/** What a model thought, and what is sent for it. */

/** In plain text, as clients send it back. */
export const THOUGHT =
  `Okay, the user wants to know why the nightly build fails on the arm64 runner. Let me think about what we have so far.

The log shows that the linker step was killed after 512 seconds. That is odd, because on x86 the same step takes about 40 seconds. The first thing that comes to mind is memory: the arm64 runners have 8 GB instead of 16 GB, and the linker is run with LTO on. When a process is killed without an error message of its own, it is mostly the OOM killer.

But wait, there may be another reason. The job has a timeout of 600 seconds. If the linker was killed after 512 seconds, then the job's own timeout can't be the reason, unless the steps before it took 88 seconds. Let me look at the timestamps: checkout 12 s, restore cache 31 s, configure 44 s. That is 87 seconds. So 87 + 512 = 599 seconds. Hmm, this is almost exactly 600. So it could be the timeout after all!

So there are two hypotheses:
1. The OOM killer ended the linker.
2. The job's timeout ended everything.

To tell them apart, I should look at the exit code. With the OOM killer the exit code is 137 (128 + 9). With the timeout the runner sends SIGTERM first, so the exit code would be 143 (128 + 15). The log says "exit code 143". So it's the timeout.

Hmm, but why would the linker take so long? It may be swapping. With 8 GB of memory and LTO, the linker needs about 9.5 GB (I remember the peak from the memory report of last week: 9.4 GB on x86). So the machine swaps and the linker becomes slow, and then the timeout ends it. So both are true in a way: too little memory makes it slow, and the timeout kills it.

What are the options? We can raise the timeout, but swapping for half an hour is no solution. We can turn off LTO for the nightly build on arm64. Or we can use thin LTO, which needs much less memory, about 3 GB in my experience. Thin LTO seems to be the best: the change is one line in Cargo.toml, and the performance loss is about 1-2 %.

I think I should first read the workflow file, to see where the timeout is set and which profile is used. Then I propose the change.`;

/** What is sent for it where the user asks why it failed; `hash` names it. */
export function sentThought(hash: string): string {
  return `Okay, the user wants to know why the nightly build fails on the arm64 runner. … [lines 1-3 omitted] … When a process is killed without an error message of its own, it is mostly the OOM killer.
… [lines 4-5 omitted] … If the linker was killed after 512 seconds, then the job's own timeout can't be the reason, unless the steps before it took 88 seconds. … [lines 5-8 omitted]
2. The job's timeout ended everything.
… [lines 10-11 omitted] … With the timeout the runner sends SIGTERM first, so the exit code would be 143 (128 + 15). … [lines 11-15 omitted]

I think I should first read the workflow file, to see where the timeout is set and which profile is used. Then I propose the change.
[34 sentences compressed to 7. Retrieve more: hash=${hash}]`;
}
