/** The environment for a program of others: without the variables of the service, which may contain keys. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PARLANDO_')))
}
