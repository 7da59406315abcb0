import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** UPnP renderers of Debian. */
export const renderers = ['gmediarender', 'rygel']

/** The address of this machine in the network of the renderers. */
const host = '10.9.9.1'
const port = 8080

/** How players in that network see a server that listens on a Unix socket. */
export const upnpBaseUrl = `http://${host}:${port}`

/** Whether this process may create a network. A container without privileges may not. */
export const canCreateNetwork =
  spawnSync('unshare', ['--net', '--map-root-user', 'true']).status === 0

if (!canCreateNetwork) console.warn('No network can be created, so UPnP renderers are not tested')

// Renderers reject the loopback interface, and an interface of this machine would announce them to its neighbours.
const createNetwork = [
  'ip link set lo up',
  'ip link add upnp0 type veth peer name upnp1',
  'ip link set upnp1 up',
  `ip address add ${host}/24 dev upnp0`,
  'ip link set upnp0 up multicast on',
  'ip route add 224.0.0.0/4 dev upnp0',
]

export interface Renderer {
  /** Plays the sound at an address to its end. */
  play(url: string): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a UPnP renderer in a network of its own.
 * @param socket The Unix socket of the server at {@link upnpBaseUrl}.
 */
export async function startRenderer(
  name: string,
  socket: string,
  env: NodeJS.ProcessEnv,
): Promise<Renderer> {
  const program = fileURLToPath(new URL('upnp-process.js', import.meta.url))
  const run = [...createNetwork, 'exec "$@"'].join(' && ')
  const node = [process.execPath, program, name, host, String(port), socket]
  const child = spawn('unshare', ['--net', '--map-root-user', 'sh', '-c', run, 'sh', ...node], {
    // The index of GStreamer's plugins is in the home folder; without one, each renderer makes it again.
    env: { ...env, HOME: process.env['HOME'], NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const expectLine = async (expected: string) => {
    const { value, done } = await lines.next()
    if (done || value !== expected) throw new Error(`${name}: ${done ? 'exited' : value}`)
  }
  await expectLine('ready')
  return {
    async play(url) {
      child.stdin.write(`${url}\n`)
      await expectLine('ended')
    },
    async close() {
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
    },
  }
}
