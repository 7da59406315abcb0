import { expect, it } from 'vitest'
import { connectionToClose } from './page-connection.ts'

const from = (address: string, activeAt: number) => ({ address, activeAt })

it('the longest silent connection of the address with the most connections makes room', () => {
  const tablet = from('192.168.1.2', 0)
  const [older, newer] = [from('192.168.1.66', 10), from('192.168.1.66', 20)]
  expect(connectionToClose([tablet, newer, older])).toBe(older)
})

it('without a connection, none makes room', () => {
  expect(connectionToClose([])).toBeUndefined()
})
