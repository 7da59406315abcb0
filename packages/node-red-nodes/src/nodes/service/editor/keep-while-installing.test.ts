import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { expect, it } from 'vitest'
import { createDeviceService } from '../device-service.ts'
import { keepWhileInstalling } from './keep-while-installing.ts'

const model = {
  name: 'anna',
  kind: 'voice',
  displayName: 'Anna',
  summary: 'a woman',
  languages: ['de'],
  licence: { name: 'CC0-1.0', url: 'https://example.org', commercialUse: 'yes' },
  downloadBytes: 1,
  memoryBytes: 1,
  fit: 'good',
  isConfirmed: true,
  isInstalled: false,
}

const tooBusy = {}

/** A process of this device with one model. */
async function startDevice(stateOf: (requests: number) => object | undefined) {
  const server = await startTestServer((response) => {
    if (stateOf(server.requests.length) === tooBusy) return void response.writeHead(400).end()
    const installation = stateOf(server.requests.length)
    response.end(JSON.stringify({ models: [{ ...model, installation }], needsAddon: false }))
  })
  const address = { baseUrl: server.baseUrl, apiKey: '' }
  const { processes, start } = createFakeDeviceProcesses(() => address)
  const device = createDeviceService({ start, lingerMs: 0 })
  const running = () => processes.filter(({ isRunning }) => isRunning).length
  return { server, device, processes, running }
}

it.each([
  ['complete', undefined],
  ['failed', { state: 'failed', code: 'NO_SPACE' }],
])('keeps the process until the installation is %s', async (_end, last) => {
  let runningAtEnd = 0
  const { server, device, running } = await startDevice((requests) => {
    runningAtEnd = running()
    return requests < 3 ? { state: 'downloading' } : last
  })
  await keepWhileInstalling(device, 1)
  expect(server.requests).toHaveLength(3)
  expect(runningAtEnd).toBe(1)
  await expect.poll(running).toBe(0)
})

it('keeps the process while it is too busy to report the installation', async () => {
  const states = [{ state: 'downloading' }, tooBusy, { state: 'unpacking' }, undefined]
  const { server, device } = await startDevice((requests) => states[requests - 1])
  await keepWhileInstalling(device, 1)
  expect(server.requests).toHaveLength(4)
})

it('ends when the process has exited', async () => {
  const { device, processes } = await startDevice((requests) => {
    if (requests === 2) processes[0]!.exit()
    return { state: 'downloading' }
  })
  await keepWhileInstalling(device, 1)
})

it('ends when the process cannot start', async () => {
  const start = () => Promise.reject(new Error('No memory'))
  await keepWhileInstalling(createDeviceService({ start, lingerMs: 0 }), 1)
})
