import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as requestFrom, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Needs, requireInCI } from '../../programs/installed-programs.ts'
import { freePort } from '../../servers/addresses.ts'

/** UPnP renderers of Debian. */
export const renderers = ['gmediarender', 'rygel'] as const

/** A network that UPnP renderers accept, unlike the loopback interface. */
interface UpnpNetwork {
  interfaceName: string
  /** The address of this machine. */
  host: string
  /** A program with options that runs a command in this network. */
  enter: readonly string[]
  /** Whether each renderer has a network of its own. */
  isOwn: boolean
}

/** A network that ends with its process, so that no neighbour sees the renderers. */
function createNetwork(): UpnpNetwork | undefined {
  const enter = ['unshare', '--net', '--map-root-user']
  const [interfaceName, host] = ['upnp0', '10.9.9.1']
  const commands = [
    'ip link set lo up',
    `ip link add ${interfaceName} type veth peer name upnp1`,
    'ip link set upnp1 up',
    `ip address add ${host}/24 dev ${interfaceName}`,
    `ip link set ${interfaceName} up multicast on`,
    `ip route add 224.0.0.0/4 dev ${interfaceName}`,
  ]
  const shell = [...enter, 'sh', '-c', [...commands, 'exec "$@"'].join(' && '), 'sh']
  const { status } = spawnSync(shell[0]!, [...shell.slice(1), 'true'])
  return status === 0 ? { interfaceName, host, enter: shell, isOwn: true } : undefined
}

/** The network of this machine, for a container that may not create one. */
function machineNetwork(): UpnpNetwork | undefined {
  for (const [interfaceName, addresses = []] of Object.entries(networkInterfaces())) {
    const external = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
    if (external) return { interfaceName, host: external.address, enter: [], isOwn: false }
  }
  return undefined
}

/** The network in which the renderers run, if there is one. */
export const upnpNetwork = createNetwork() ?? machineNetwork()

/** The options of a suite that needs the network. @throws {Error} if there is none in CI. */
export function needsNetwork(): Needs {
  const missing = upnpNetwork
    ? []
    : ['a network with IPv4, or the right to create one (unshare --net)']
  requireInCI(missing)
  return { skip: missing.length > 0, meta: { missing } }
}

/** A real UPnP renderer in a network of its own. */
export interface Renderer {
  /** Where the renderer sees the server of the sounds. */
  baseUrl: string
  /** Where the test sees the description of the renderer. */
  description: string
  /** Plays the sound at an address to its end. */
  play(url: string): Promise<void>
  /** Begins to play the sound at an address. */
  playMusic(url: string): Promise<void>
  start(): Promise<void>
  /** Ends it as a power failure does. */
  kill(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a UPnP renderer.
 * @param socket The Unix socket of the server from which it fetches. It may start to listen later.
 */
export async function startRenderer(
  name: string,
  socket: string,
  env: NodeJS.ProcessEnv,
): Promise<Renderer> {
  const { interfaceName, host, enter } = upnpNetwork!
  const port = String(await freePort())
  const program = fileURLToPath(new URL('upnp-process.js', import.meta.url))
  const ownSocket = `${socket}-${name}`
  const places = [interfaceName, host, port, socket, ownSocket]
  const command = [...enter, process.execPath, program, name, ...places]
  const child = spawn(command[0]!, command.slice(1), {
    // The index of GStreamer's plugins is in the home folder; without one, each renderer makes it again.
    env: { ...env, HOME: process.env['HOME'], NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const expectLine = async (expected: string) => {
    const { value, done } = await lines.next()
    if (done || !value.startsWith(expected)) throw new Error(`${name}: ${done ? 'exited' : value}`)
    return value.slice(expected.length)
  }
  const run = async (line: string, response = 'done') => {
    child.stdin.write(`${line}\n`)
    await expectLine(response)
  }
  const own = new URL(await expectLine('ready '))
  const entrance = await openEntrance(ownSocket, own.host)
  return {
    baseUrl: `http://${host}:${port}`,
    description: `http://127.0.0.1:${(entrance.address() as AddressInfo).port}${own.pathname}`,
    play: (url) => run(`play ${url}`),
    playMusic: (url) => run(`music ${url}`),
    start: () => run('start', 'ready '),
    kill: () => run('kill'),
    async close() {
      const exited = once(child, 'exit')
      child.stdin.end()
      await exited
      entrance.closeAllConnections()
      entrance.close()
    },
  }
}

/** Passes requests to a renderer in the other network. Renderers reject those with the name of another host. */
async function openEntrance(socketPath: string, host: string): Promise<Server> {
  const entrance = createServer((request, response) => {
    const { method, url: path, headers } = request
    const place = { socketPath, agent: false, path, method, headers: { ...headers, host } }
    const passed = requestFrom(place, (passedBack) => {
      response.writeHead(passedBack.statusCode!, passedBack.headers)
      passedBack.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(entrance, 'listening')
  return entrance
}
