import { BlockList } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { completeAddress, isLoopback } from '@parlando/core/address'
import type { NodeAPI } from 'node-red'
import { readAddOn } from '../../programs/add-on.ts'
import { isInContainer } from '../../programs/this-machine.ts'
import type { PlayerRoute } from './own-address.ts'

/** The address of Node-RED as players in the local network see it. */
export interface PlayerAddress {
  /** The address with the path of Node-RED's HTTP nodes, without a slash at the end. */
  baseUrl: string
  /** Why players may not be able to fetch from it. */
  warning: AddressWarning | undefined
}

/** Names a sentence of the texts of the sound address node. */
export type AddressWarning = 'loopback' | 'container' | 'password' | 'https'

/** What decides the address. */
export interface Host {
  isHttps: boolean
  port: number
  /** The path of Node-RED's HTTP nodes, such as `/` or `/api`. */
  root: string
  /** The interface that Node-RED listens on; empty: all. */
  listensOn: string
  needsPassword: boolean
  isInContainer: boolean
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>
}

/**
 * Determines the address that players see.
 * @param typed The address of Node-RED that the user typed, with or without a scheme and a path; empty: that of the local network.
 * @param route to the player. Default: not known, and so the network that is most probably that of the players.
 */
export function playerAddress(host: Host, typed = '', route?: PlayerRoute): PlayerAddress {
  const given = completeAddress(typed.trim()).replace(/\/$/, '')
  const own = route?.own ?? localAddress(host.interfaces)
  const name = isAnyInterface(host.listensOn) ? own : host.listensOn
  const scheme = host.isHttps ? 'https' : 'http'
  const origin = given || `${scheme}://${bracketed(name)}:${host.port}`
  const baseUrl = `${origin}${host.root === '/' ? '' : `/${host.root.replace(/^\/|\/$/g, '')}`}`
  return { baseUrl, warning: warningFor(host, baseUrl, given !== '' ? undefined : { route }) }
}

/** @param automatic Absent if the user typed the address. */
function warningFor(
  { needsPassword, isInContainer, interfaces }: Host,
  baseUrl: string,
  automatic: { route: PlayerRoute | undefined } | undefined,
): AddressWarning | undefined {
  if (needsPassword) return 'password'
  const { route } = automatic ?? {}
  // A player on this machine is the only one that can use it.
  if (leadsToItself(baseUrl) && !(route && isLoopback(route.player))) return 'loopback'
  if (baseUrl.startsWith('https:')) return 'https'
  if (!isInContainer || !automatic) return undefined
  return route && isInNetwork(route, interfaces) ? undefined : 'container'
}

/** Whether a player is in a network of this machine, or of this container, and not behind a router. */
function isInNetwork({ own, player }: PlayerRoute, interfaces: Host['interfaces']): boolean {
  const infos = Object.values(interfaces).flatMap((some) => some ?? [])
  const cidr = infos.find(({ address }) => address === own)?.cidr ?? `${own}/32`
  const [network = own, bits] = cidr.split('/')
  const reached = new BlockList()
  reached.addSubnet(network, Number(bits))
  return reached.check(player)
}

function isAnyInterface(address: string): boolean {
  return ['', '0.0.0.0', '::'].includes(address)
}

function leadsToItself(baseUrl: string): boolean {
  // A typed address may be anything; the player will say that it cannot fetch it.
  return URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)
}

// Interfaces of containers, of virtual machines and of private networks over the internet.
const virtualName =
  /^(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|wg|zt|tailscale|utun|cni|flannel)/

/** The IPv4 address of this machine in the local network; without a network the loopback address. */
function localAddress(interfaces: Host['interfaces']): string {
  const addresses = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => ({ address, isVirtual: virtualName.test(name) })),
  )
  const best = addresses.find(({ isVirtual }) => !isVirtual) ?? addresses[0]
  return best?.address ?? '127.0.0.1'
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

export function thisHost(RED: NodeAPI): Host {
  const { https, httpNodeRoot, httpNodeAuth, uiHost, uiPort } = RED.settings as unknown as {
    https?: unknown
    httpNodeRoot?: string
    httpNodeAuth?: unknown
    uiHost?: string
    uiPort?: number | string
  }
  // Node-RED may listen on another port than its settings state, for example inside another application.
  const listening = RED.server?.address()
  const port = typeof listening === 'object' ? listening?.port : undefined
  const addOn = readAddOn(process.env)
  return {
    isHttps: Boolean(https),
    port: port ?? Number(uiPort ?? 1880),
    listensOn: uiHost ?? '',
    isInContainer: isInContainer(),
    // A web server in front of Node-RED, in the network of the host.
    ...(addOn && { ...addOn, listensOn: '', isInContainer: false }),
    root: httpNodeRoot || '/',
    needsPassword: Boolean(httpNodeAuth),
    interfaces: networkInterfaces(),
  }
}
