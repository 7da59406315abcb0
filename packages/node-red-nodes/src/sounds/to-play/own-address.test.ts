import { expect, it } from 'vitest'
import { routeTo } from './own-address.ts'

it.each(['127.0.0.1', 'localhost'])(
  'a player on this machine is reached over loopback: %s',
  async (host) => {
    expect(await routeTo(host)).toEqual({ own: '127.0.0.1', player: '127.0.0.1' })
  },
)

it.each(['no.such.host.invalid', 'fd00::1', 'x'.repeat(300)])(
  'a host without an IPv4 address has no route: %s',
  async (host) => {
    expect(await routeTo(host)).toBeUndefined()
  },
)
