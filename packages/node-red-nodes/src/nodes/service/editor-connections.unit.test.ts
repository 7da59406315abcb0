import { EventEmitter } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@parlando/core'
import { children } from '@parlando/test-support/child-processes'
import type { NodeAPI } from 'node-red'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createDeviceService } from './device-service.ts'
import { createEditorConnections } from './editor-connections.ts'

const listVoices = (client: Client) => client.listVoices()

it('ends what was started while the one before was still ending', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-forms-'))
  onTestFinished(() => rm(dataFolder, { recursive: true }))
  const events = new EventEmitter()
  const RED = { events } as unknown as NodeAPI
  const { use } = createEditorConnections(RED, createDeviceService(dataFolder))
  const first = use({ location: 'device' }, listVoices).catch((error: Error) => error.message)
  await vi.waitFor(() => expect(children()).toHaveLength(1), 60_000)
  events.emit('flows:stopping')
  const second = use({ location: 'device' }, listVoices)
  expect(await first).toContain('did not start')
  expect((await second).voices).not.toEqual([])
  events.emit('flows:stopping')
  await vi.waitFor(() => expect(children()).toEqual([]), 60_000)
})
