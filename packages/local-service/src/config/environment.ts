/** The environment variable of an option: `maxVoices` is `PARLANDO_LOCAL_MAX_VOICES`. */
export function variableOf(name: string): string {
  return `PARLANDO_LOCAL_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/**
 * Options as environment variables, for a child process. Unlike command-line arguments, other users of the machine
 * cannot read them.
 */
export function toEnvironment(options: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [variableOf(name), String(value)]))
}
