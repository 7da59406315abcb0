import { describe, expect, it } from 'vitest'
import { checkOrigin, knownHosts } from './check-origin.ts'

const check = (headers: Record<string, string>, settings: object = {}) =>
  checkOrigin({ headers }, knownHosts({ settings } as Parameters<typeof knownHosts>[0]))

it.each([
  ['a program without an origin', { host: 'home:1880' }, undefined],
  ['a page of the server', { host: 'home:1880', origin: 'http://home:1880' }, undefined],
  [
    'a page behind a proxy that omits the port',
    { host: 'home', origin: 'https://home:8443' },
    undefined,
  ],
  ['an IPv6 address', { host: '[::1]:1880', origin: 'http://[::1]:1880' }, undefined],
  [
    'a page behind proxies that pass on the host',
    {
      host: '127.0.0.1:1880',
      'x-forwarded-host': 'home.example, inner',
      origin: 'https://home.example',
    },
    undefined,
  ],
  ['another page', { host: 'home:1880', origin: 'https://evil.example' }, 'foreign'],
  [
    'a page behind a proxy that hides the host',
    { host: '127.0.0.1', origin: 'https://home' },
    'foreign',
  ],
  ['a page without an origin of its own', { host: 'home:1880', origin: 'null' }, 'foreign'],
  ['a malformed origin', { host: 'home:1880', origin: 'http://' }, 'foreign'],
  ['a request without a host', { origin: 'https://home' }, 'foreign'],
])('%s', (_name, headers, problem) => {
  expect(check(headers)).toBe(problem)
})

describe('a page whose own name leads to this machine', () => {
  const page = (origin: string) => ({ origin, host: new URL(origin).host })

  it.each([
    'http://192.168.1.5:1880',
    'http://203.0.113.7:1880',
    'http://[fd00::1]:1880',
    'http://localhost:1880',
    'http://home.local:1880',
    'http://raspberrypi:1880',
  ])('is ours: %s', (origin) => {
    expect(check(page(origin))).toBeUndefined()
  })

  it.each([
    'http://evil.example:1880',
    'http://evil.example.:1880',
    'http://localhost.evil.example',
  ])('is another: %s', (origin) => {
    expect(check(page(origin))).toBe('unknown-name')
    expect(check({ ...page(origin), 'x-forwarded-host': 'evil.example' })).toBe('unknown-name')
  })

  it('is ours with https, with a password, and with a name of the settings', () => {
    const origin = 'http://home.example:1880'
    expect(check(page('https://home.example'))).toBeUndefined()
    expect(check(page(origin), { httpNodeAuth: { user: 'a', pass: 'b' } })).toBeUndefined()
    expect(check(page(origin), { parlandoHosts: ['Home.example'] })).toBeUndefined()
    expect(check(page(origin), { parlandoHosts: ['other.example'] })).toBe('unknown-name')
    expect(check(page(origin), { parlandoHosts: 'home.example' })).toBe('unknown-name')
  })
})
