/** Plays one scene: `stage.ts <module> <scene> <file>`. Ends with 1 and the reason when it does not go as it should. */

/** A module's scenes. */
type Scenes = Readonly<Record<string, (file: string) => Promise<void>>>;

const [module, scene, file] = Deno.args;
const scenes: Scenes = await import(`./${module}.ts`);
await scenes[scene!]!(file!);
