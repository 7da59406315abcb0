import { expect, it } from 'vitest'
import { isOnlyLocal } from './open-port.ts'

it.each(['127.0.0.1', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost'])(
  'only this machine can reach %s',
  (host) => {
    expect(isOnlyLocal(host)).toBe(true)
  },
)

it.each([
  '0.0.0.0',
  '::',
  '192.168.1.2',
  'my-machine',
  '127.example.org',
  'voice.localhost',
  '::ffff:10.0.0.1',
])('other machines may reach %s', (host) => {
  expect(isOnlyLocal(host)).toBe(false)
})
