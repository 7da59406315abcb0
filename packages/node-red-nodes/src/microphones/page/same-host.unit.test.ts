import { expect, it } from 'vitest'
import { isFromSameHost } from './same-host.ts'

it.each([
  ['a program without an origin', { host: 'home:1880' }, true],
  ['a page of the server', { host: 'home:1880', origin: 'http://home:1880' }, true],
  [
    'a page behind a proxy that omits the port',
    { host: 'home', origin: 'https://home:8443' },
    true,
  ],
  ['an IPv6 address', { host: '[::1]:1880', origin: 'http://[::1]:1880' }, true],
  [
    'a page behind proxies that pass on the host',
    {
      host: '127.0.0.1:1880',
      'x-forwarded-host': 'home.example, inner',
      origin: 'https://home.example',
    },
    true,
  ],
  ['another page', { host: 'home:1880', origin: 'https://evil.example' }, false],
  [
    'a page behind a proxy that hides the host',
    { host: '127.0.0.1', origin: 'https://home' },
    false,
  ],
  ['a page without an origin of its own', { host: 'home:1880', origin: 'null' }, false],
  ['a malformed origin', { host: 'home:1880', origin: 'http://' }, false],
  ['a request without a host', { origin: 'https://home' }, false],
])('%s', (_name, headers, isSame) => {
  expect(isFromSameHost({ headers })).toBe(isSame)
})
