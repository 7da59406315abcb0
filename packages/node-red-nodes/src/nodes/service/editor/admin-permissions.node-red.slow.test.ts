import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('a user who may only read', () => {
  let nodeRed: NodeRedProcess
  beforeAll(async () => {
    nodeRed = await startNodeRed([{ id: 'tab', type: 'tab', label: 'Flow' }], {
      settings: { adminAuth: { type: 'credentials', users: [], default: { permissions: 'read' } } },
    })
  })
  afterAll(() => nodeRed?.close())

  it.each([
    ['deployed/voices', 422],
    ['deployed/models', 422],
    ['deployed/recognisers', 422],
    ['deployed/listen', 401],
    ['deployed/test', 401],
    ['voices', 401],
    ['models', 401],
    ['recognisers', 401],
    ['listen', 401],
    ['test', 401],
    ['stop', 401],
    ['test-speaker', 401],
    ['speaker-devices', 401],
    ['find-speakers', 401],
    ['studio/clone', 401],
    ['deployed/studio/clone', 401],
    ['deployed/studio/change', 401],
    ['deployed/studio/delete', 401],
    ['deployed/studio/export', 401],
    ['deployed/studio/import', 401],
    ['studio/recent', 200],
    ['studio/recent/sound', 422],
    ['studio/recent/clear', 401],
    ['kept-sound', 422],
    ['kept-sound/clear', 401],
    ['local-models', 401],
    ['local-models/install', 401],
    ['local-models/cancel', 401],
    ['local-models/remove', 401],
  ])('receives from %s for a service that does not exist: %i', async (path, status) => {
    const response = await fetch(`${nodeRed.baseUrl}/parlando/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service: { id: 'unknown' } }),
    })
    expect(response.status).toBe(status)
  })
})
