import { expect, it } from 'vitest'
import { createTrustedProxies, forwardedAddress } from './trusted-proxies.ts'

const proxies = createTrustedProxies(['10.0.0.0/8', '192.168.1.5', 'fd00::/8'])

it.each([
  ['203.0.113.7', undefined, '203.0.113.7'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['fd00::1', '2001:db8::1', '2001:db8::1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1, 192.168.1.5', '198.51.100.1'],
  ['10.1.2.3', '198.51.100.1, 192.168.1.6', '192.168.1.6'],
  ['10.1.2.3', undefined, '10.1.2.3'],
  ['10.1.2.3', 'unknown', '10.1.2.3'],
  ['10.1.2.3', '198.51.100.1, ', '10.1.2.3'],
  ['10.1.2.3', '10.9.9.9', '10.9.9.9'],
])('a caller at %s whose header is %s has the address %s', (address, header, expected) => {
  expect(forwardedAddress(address, header, proxies)).toBe(expected)
})

it.each(['proxy', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/', ''])('%s is no range', (range) => {
  expect(() => createTrustedProxies([range])).toThrow()
})
