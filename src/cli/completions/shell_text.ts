/** Texts that shells take as they are. @module */

/** Line that every script has near its top, by which it is known again. */
export function headerOf(shell: string): string {
  return `# Completions of svc for ${shell}, made by: svc completions ${shell}`;
}

/** A text in single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
