import { EventEmitter } from 'node:events'
import type { Client } from '@parlando/core'
import { createFakeDeviceProcesses } from '@parlando/test-support/node-red/device-processes'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import type { NodeAPI } from 'node-red'
import { expect, it } from 'vitest'
import { createDeviceService } from '../device-service.ts'
import { createEditorConnections } from './editor-connections.ts'

const listVoices = (client: Client) => client.listVoices()

it('starts a new service for a form while the previous one is still ending', async () => {
  const server = await startTestServer(
    (response) => void response.end('{"voices":[{"voiceId":"Clara"}]}'),
  )
  const { processes, start } = createFakeDeviceProcesses(() => ({
    baseUrl: server.baseUrl,
    apiKey: '',
  }))
  const events = new EventEmitter()
  const RED = { events } as unknown as NodeAPI
  const device = createDeviceService({ start, lingerMs: 0 })
  const { use } = createEditorConnections(RED, device)
  const first = use({ location: 'device' }, listVoices).catch((error: Error) => error.message)
  expect(processes).toHaveLength(1)
  events.emit('flows:stopping')
  const second = use({ location: 'device' }, listVoices)
  expect(await first).toContain('did not start')
  expect((await second).voices).not.toEqual([])
  events.emit('flows:stopping')
  await expect.poll(() => processes.map(({ isRunning }) => isRunning)).toEqual([false, false])
})
