import { describe, expect, it } from 'vitest'
import { addressFault, completeAddress } from './address.ts'

const local = [
  // This machine.
  'http://localhost:8080',
  'http://localhost.',
  'http://speech.localhost',
  'http://127.0.0.1:8080',
  'http://127.255.255.254',
  'http://0x7f.1/',
  'http://2130706433',
  'http://[::1]:8080',
  'http://[0:0:0:0:0:0:0:1]',
  'http://[::ffff:127.0.0.1]:8080',
  // Its network.
  'http://10.1.2.3',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.1.20',
  'http://[::ffff:192.168.1.20]',
  'http://169.254.7.7',
  'http://[fd00::5]:80',
  'http://[fc00::5]',
  'http://[fdff:ffff::1]',
  'http://[fe80::1]',
  'http://[febf::1]',
  // An overlay network, such as a VPN between the machines of one person.
  'http://100.64.0.0',
  'http://100.101.102.103:8080',
  'http://100.127.255.255',
  'http://[fd7a:115c:a1e0::1]',
  // Names that only a local network resolves.
  'http://kitchen.local',
  'HTTP://Kitchen.LOCAL/speech',
  'http://kitchen.local.',
  'http://kitchen.lan',
  'http://speech.internal',
  'http://speech.home.arpa',
  'http://parlando',
  'http://nodered:1880/speech',
  'http://s1',
]

const beyond = [
  'http://speech.example',
  'http://127.0.0.1.example',
  'http://10.example',
  'http://mylocal.example',
  'http://fd.example',
  'http://localhost.example',
  'http://8.8.8.8:8080',
  'http://0.0.0.0',
  'http://9.255.255.255',
  'http://11.0.0.1',
  'http://100.63.255.255',
  'http://100.128.0.0',
  'http://172.15.255.255',
  'http://172.32.0.1',
  'http://192.169.1.1',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://[2001:db8::1]/',
  'http://[::]',
  'http://[::2]/',
  'http://[fc::1]',
  'http://[fd::1]',
  'http://[fe8::1]',
  'http://[fec0::1]',
  'http://[::ffff:8.8.8.8]',
  'http://[64:ff9b::7f00:1]',
  // Top-level domains of countries, which may have an address of their own.
  'http://ai',
  'http://AI.',
  'http://fd',
  'http://мон',
]

describe('addressFault', () => {
  it.each([...local, 'https://speech.example/speech'])('accepts %s', (address) => {
    expect(addressFault(address)).toBeUndefined()
  })

  it.each(beyond)('reports http: beyond the local network: %s', (address) => {
    expect(addressFault(address)).toBe('in-the-clear')
    expect(addressFault(address.replace(/^http:/i, 'https:'))).toBeUndefined()
  })

  it.each(['', 'speech.example', 'ftp://speech.example', 'https://', 'https:speech.example'])(
    'reports text that is not an address: "%s"',
    (address) => {
      expect(addressFault(address)).toBe('not-an-address')
    },
  )

  it.each([
    'https://me:secret@speech.example',
    'https://me@speech.example',
    'https://speech.example?key=secret',
    'https://speech.example#part',
    'http://127.0.0.1:1880/#',
    'http://127.0.0.1:1880?',
  ])('reports parts after or before the path: %s', (address) => {
    expect(addressFault(address)).toBe('more-than-a-path')
  })
})

describe('completeAddress', () => {
  it.each([
    ['localhost:8976', 'http://localhost:8976'],
    ['192.168.1.20:8080/speech', 'http://192.168.1.20:8080/speech'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['nodered', 'http://nodered'],
    ['Kitchen.local', 'http://Kitchen.local'],
    ['speech.example', 'https://speech.example'],
    ['speech.example:8443/v1', 'https://speech.example:8443/v1'],
    ['8.8.8.8', 'https://8.8.8.8'],
    ['http.example', 'https://http.example'],
  ])('adds the scheme to %s', (typed, address) => {
    expect(completeAddress(typed)).toBe(address)
    expect(addressFault(address)).toBeUndefined()
  })

  it.each([
    'http://localhost:8976',
    'HTTPS://speech.example',
    'http://speech.example',
    '',
    'https:',
    'https:/speech.example',
    'ftp://speech.example',
    '//speech.example',
    '/speech',
    'two words',
    '8976',
    'speech.example:port',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Node-RED
    '${SPEECH_ADDRESS}',
  ])('does not change "%s"', (text) => {
    expect(completeAddress(text)).toBe(text)
  })
})
