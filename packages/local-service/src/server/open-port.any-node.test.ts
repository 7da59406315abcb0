import { expect, it } from 'vitest'
import { isLoopback } from './open-port.ts'

it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('%s is a loopback host', (host) => {
  expect(isLoopback(host)).toBe(true)
})

it.each(['0.0.0.0', '::', '192.168.1.2', 'my-machine', '127.example.org'])(
  '%s is not a loopback host',
  (host) => {
    expect(isLoopback(host)).toBe(false)
  },
)
