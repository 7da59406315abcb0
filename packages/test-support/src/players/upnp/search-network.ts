import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { upnpNetwork } from './upnp-network.ts'

const searchProgram = fileURLToPath(new URL('search-program.ts', import.meta.url))

/**
 * Starts a device in the network of UPnP renderers, and searches for speakers there until it is found.
 * @param command of the device.
 * @returns what the search found.
 */
export async function searchNetwork(name: string, command: readonly string[]): Promise<unknown> {
  const { outputFiles } = buildSync({
    entryPoints: [searchProgram],
    bundle: true,
    conditions: ['@parlando/source'],
    format: 'esm',
    platform: 'node',
    // What is not an ES module calls it.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire('/')`,
    },
    write: false,
  })
  const node = [process.execPath, '--input-type=module', '-', name, ...command]
  const [program, ...options] = [...upnpNetwork!.enter, ...node]
  const child = spawn(program!, options, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(outputFiles[0]!.contents)
  const [found] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(found)
}
