import { createRequire } from 'node:module'

/**
 * The path of an entry in this package's `exports`, such as `flite-worker`. Resolved by the package's own name, so that
 * it is found both from the sources and from the build, where files have other paths.
 */
export function programPath(entry: string): string {
  return createRequire(import.meta.url).resolve(`@parlando/local-service/${entry}`)
}
