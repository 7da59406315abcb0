import { describe, expect, it } from 'vitest'
import { addressFault } from './address.ts'

describe('addressFault', () => {
  it.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://0x7f.1/',
    'http://[::1]:8080',
    'http://[0:0:0:0:0:0:0:1]',
    'http://192.168.1.20',
    'http://10.1.2.3',
    'http://172.20.0.2',
    'http://169.254.7.7',
    'http://[fd00::5]:80',
    'http://[fe80::1]',
    'http://kitchen.local',
    'HTTP://Kitchen.LOCAL/speech',
    'http://parlando',
    'https://speech.example/speech',
  ])('accepts %s', (address) => {
    expect(addressFault(address)).toBeUndefined()
  })

  it.each([
    'http://speech.example',
    'http://8.8.8.8:8080',
    'http://11.0.0.1',
    'http://172.32.0.1',
    'http://192.169.1.1',
    'http://100.127.0.0',
    'http://[2001:db8::1]/',
    'http://[::2]/',
    'http://127.0.0.1.example',
    'http://10.example',
    'http://mylocal.example',
    'http://fd.example',
  ])('reports http: beyond the local network: %s', (address) => {
    expect(addressFault(address)).toBe('in-the-clear')
    expect(addressFault(address.replace('http:', 'https:'))).toBeUndefined()
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
