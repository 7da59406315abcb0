import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { type Host, playerAddress } from './player-address.ts'

const address = (address: string, internal = false) =>
  [{ address, family: 'IPv4', internal }] as unknown as NetworkInterfaceInfo[]

const host: Host = {
  isHttps: false,
  port: 1880,
  root: '/',
  listensOn: '',
  needsPassword: false,
  isInContainer: false,
  interfaces: {
    lo: address('127.0.0.1', true),
    docker0: address('172.17.0.1'),
    eth0: address('192.168.1.5'),
  },
}

describe('the address that players see', () => {
  it.each<[string, Partial<Host>, typed: string, baseUrl: string, warning?: string]>([
    ['is that of the local network', {}, '', 'http://192.168.1.5:1880'],
    ['includes the path of the HTTP nodes', { root: '/api/' }, '', 'http://192.168.1.5:1880/api'],
    [
      'is the interface that Node-RED listens on',
      { listensOn: '10.0.0.9' },
      '',
      'http://10.0.0.9:1880',
    ],
    ['may be an IPv6 address', { listensOn: 'fd00::5' }, '', 'http://[fd00::5]:1880'],
    ['may be typed', { isInContainer: true }, 'http://hub.local:1880/', 'http://hub.local:1880'],
    ['may be typed without a scheme', {}, ' 10.0.0.9:1880/ ', 'http://10.0.0.9:1880'],
    ['is not typed with spaces only', {}, '  ', 'http://192.168.1.5:1880'],
    ['warns of loopback', { listensOn: '127.0.0.1' }, '', 'http://127.0.0.1:1880', 'loopback'],
    [
      'warns of a machine without network',
      { interfaces: {} },
      '',
      'http://127.0.0.1:1880',
      'loopback',
    ],
    [
      'warns of a typed loopback address',
      {},
      'http://localhost:1880',
      'http://localhost:1880',
      'loopback',
    ],
    [
      'warns of a typed loopback address without a scheme',
      {},
      'localhost:1880',
      'http://localhost:1880',
      'loopback',
    ],
    ['warns of a container', { isInContainer: true }, '', 'http://192.168.1.5:1880', 'container'],
    ['warns of a password', { needsPassword: true }, '', 'http://192.168.1.5:1880', 'password'],
    ['warns of https', { isHttps: true }, '', 'https://192.168.1.5:1880', 'https'],
  ])('%s', (_, change, typed, baseUrl, warning) => {
    expect(playerAddress({ ...host, ...change }, typed)).toEqual({ baseUrl, warning })
  })

  it('is the one of a virtual network if there is no other', () => {
    const { eth0: _, ...interfaces } = host.interfaces
    expect(playerAddress({ ...host, interfaces }).baseUrl).toBe('http://172.17.0.1:1880')
  })

  describe('of a player whose route is known', () => {
    const interfaces = {
      ...host.interfaces,
      eth1: [{ ...address('10.0.7.5')[0]!, cidr: '10.0.7.5/24' }],
    } as Host['interfaces']
    it.each<[string, Partial<Host>, own: string, player: string, baseUrl: string, string?]>([
      ['is in its network', {}, '10.0.7.5', '10.0.7.9', 'http://10.0.7.5:1880'],
      ['is loopback on this machine', {}, '127.0.0.1', '127.0.0.1', 'http://127.0.0.1:1880'],
      [
        'is still what Node-RED listens on',
        { listensOn: '192.168.1.5' },
        ...(['10.0.7.5', '10.0.7.9', 'http://192.168.1.5:1880'] as const),
      ],
      [
        'warns of a Node-RED that listens on loopback',
        { listensOn: '127.0.0.1' },
        ...(['10.0.7.5', '10.0.7.9', 'http://127.0.0.1:1880', 'loopback'] as const),
      ],
      [
        'does not warn in a container with the network of the player',
        { isInContainer: true },
        ...(['10.0.7.5', '10.0.7.9', 'http://10.0.7.5:1880'] as const),
      ],
      [
        'warns in a container with another network',
        { isInContainer: true },
        ...(['10.0.7.5', '192.168.1.9', 'http://10.0.7.5:1880', 'container'] as const),
      ],
    ])('%s', (_, change, own, player, baseUrl, warning) => {
      const found = playerAddress({ ...host, interfaces, ...change }, '', { own, player })
      expect(found).toEqual({ baseUrl, warning })
    })
  })
})
