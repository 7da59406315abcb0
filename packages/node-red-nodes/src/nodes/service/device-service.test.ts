import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { children } from '@parlando/test-support/child-processes'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDeviceService, type DeviceService, type Loan } from './device-service.ts'

let dataFolder: string
let device: DeviceService
let loans: Loan[]

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'parlando-device-'))
  device = createDeviceService(dataFolder)
  loans = []
})
afterEach(async () => {
  for (const loan of loans) loan.giveBack()
  await vi.waitFor(() => expect(children()).toEqual([]), 60_000)
  await rm(dataFolder, { recursive: true })
})

function borrow(onExit: (reason: string) => void = () => {}): Loan {
  const loan = device.borrow(onExit)
  loans.push(loan)
  return loan
}

it('lends one process to all', async () => {
  const [first, second] = [borrow(), borrow()]
  expect(await first.address).toEqual(await second.address)
  expect(children()).toHaveLength(1)
})

it('keeps the process while somebody has it, and for those who come right after the last', async () => {
  const [first, second] = [borrow(), borrow()]
  const address = await first.address
  first.giveBack()
  first.giveBack()
  second.giveBack()
  expect(await borrow().address).toEqual(address)
  await new Promise((resolve) => setTimeout(resolve, 3_500))
  expect(children()).toHaveLength(1)
})

it('ends the process when nobody comes for a while, and starts another for the next', async () => {
  const loan = borrow()
  const address = await loan.address
  loan.giveBack()
  await vi.waitFor(() => expect(children()).toEqual([]), 60_000)
  expect(await borrow().address).not.toEqual(address)
})

it('ends at once what nobody waits for any more', async () => {
  const loan = borrow()
  await vi.waitFor(() => expect(children()).toHaveLength(1))
  loan.giveBack()
  await expect(loan.address).rejects.toThrow('did not start')
  expect(children()).toEqual([])
})

it('tells all when the process ended by itself, and starts another for the next', async () => {
  const told = vi.fn()
  const [first] = [borrow(told), borrow(told)]
  const address = await first.address
  children()[0]!.kill('SIGKILL')
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2), 60_000)
  expect(await borrow().address).not.toEqual(address)
})
