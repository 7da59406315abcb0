import { describe, expect, it } from 'vitest'
import { readDeviceAddress, textOfAddress } from './device-address.ts'

describe('the address of a device', () => {
  it.each([
    ['192.168.1.20', { host: '192.168.1.20', port: 6600 }],
    [' radio.local:6601 ', { host: 'radio.local', port: 6601 }],
    ['localhost', { host: 'localhost', port: 6600 }],
    ['[fe80::1]', { host: 'fe80::1', port: 6600 }],
    ['[::1]:80', { host: '::1', port: 80 }],
  ])('can be %j', (typed, expected) => {
    expect(readDeviceAddress(typed, 6600)).toEqual(expected)
  })

  it.each([
    '',
    ' ',
    undefined,
    'fe80::1',
    'http://radio',
    'radio:99999',
    'a b',
    'radio:',
    '[::1',
    ':6600',
  ])('cannot be %j', (typed) => {
    expect(readDeviceAddress(typed, 6600)).toBeUndefined()
  })

  it('is written with brackets around IPv6', () => {
    expect(textOfAddress({ host: '::1', port: 80 })).toBe('[::1]:80')
    expect(textOfAddress({ host: 'radio', port: 6600 })).toBe('radio:6600')
  })
})
