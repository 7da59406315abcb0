import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { isLoopback } from '@parlando/core/address'
import type { NodeAPI } from 'node-red'
import { isInContainer } from '../programs/this-machine.ts'

/** The address of Node-RED as players in the local network see it. */
export interface PlayerAddress {
  /** With the path of Node-RED's HTTP nodes, without a slash at the end. */
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
 * @param typed The address of Node-RED that the user typed, with or without a path; empty: that of the local network.
 */
export function playerAddress(host: Host, typed = ''): PlayerAddress {
  const name = isAnyInterface(host.listensOn) ? localAddress(host.interfaces) : host.listensOn
  const scheme = host.isHttps ? 'https' : 'http'
  const origin = typed.replace(/\/$/, '') || `${scheme}://${bracketed(name)}:${host.port}`
  const baseUrl = `${origin}${host.root === '/' ? '' : `/${host.root.replace(/^\/|\/$/g, '')}`}`
  return { baseUrl, warning: warningFor(host, baseUrl, typed !== '') }
}

function warningFor(host: Host, baseUrl: string, isTyped: boolean): AddressWarning | undefined {
  if (host.needsPassword) return 'password'
  if (leadsToItself(baseUrl)) return 'loopback'
  if (baseUrl.startsWith('https:')) return 'https'
  return host.isInContainer && !isTyped ? 'container' : undefined
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
  return {
    isHttps: Boolean(https),
    port: port ?? Number(uiPort ?? 1880),
    root: httpNodeRoot || '/',
    listensOn: uiHost ?? '',
    needsPassword: Boolean(httpNodeAuth),
    isInContainer: isInContainer(),
    interfaces: networkInterfaces(),
  }
}
