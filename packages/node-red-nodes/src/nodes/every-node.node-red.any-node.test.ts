import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { outputWires, surroundingNodes } from '@parlando/test-support/node-red/flows/flow-harness'
import { serviceNodes } from '@parlando/test-support/node-red/node-cases'
import { type LoadedFlow, useNodeRed } from '@parlando/test-support/node-red/runtime'
import { findKeys } from '@parlando/test-support/secrets/find-keys'
import { keys } from '@parlando/test-support/secrets/keys'
import { unreachableUrl } from '@parlando/test-support/servers/addresses'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { provideFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

const { load, unload, userFolder } = useNodeRed({ afterNodes: () => provideFakeSpeaker() })
// What a node has kept for later is not for the next test.
beforeEach(() => rmSync(join(userFolder, 'parlando'), { recursive: true, force: true }))

const key = keys.service
let service: LocalService
beforeAll(async () => {
  service = await startLocalService({ apiKey: key, warmUp: false })
})
afterAll(() => service.close())

describe.each(serviceNodes)('$type', ({ type, settings, good: message, response: body, begun }) => {
  function loadNode(baseUrl: string, apiKey = key) {
    const place = { z: 'tab' }
    const flow = [
      { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl },
      { ...place, id: 'node', type, service: 'service', wires: outputWires, ...settings },
      ...surroundingNodes('node'),
      { ...place, id: 'status', type: 'status', scope: ['node'], wires: [['shown']] },
      { ...place, id: 'shown', type: 'helper' },
    ]
    return load(flow, { service: { apiKey } })
  }

  it('aborts its work when it is closed, and sends nothing more', async () => {
    let answerRest = () => {}
    const server = await startTestServer((response) => {
      response.write(body[0])
      answerRest = () => void response.end(body[1])
    })
    const flow = await loadNode(server.baseUrl)
    for (const _message of ['runs', 'waits']) flow.node('node').receive({ ...message })
    await vi.waitFor(() => expect(server.requests.length).toBe(1))
    const gone = server.nextDisconnect()
    const shown: unknown[] = []
    flow.node('node').status = (status: unknown) => void shown.push(status)
    await unload()
    answerRest()
    await gone
    expect(shown.at(-1)).toEqual({})
    await vi.waitFor(() => expect(server.openSockets()).toBe(0))
    expect(server.requests.length).toBe(1)
    expect(flow.received('out').length).toBeLessThanOrEqual(begun)
    expect(flow.received('out').some(({ complete }) => complete)).toBe(false)
    expect(flow.received('caught')).toEqual([])
  })

  it('clears its status before it waits for the end of its work, as Node-RED needs for a disabled flow', async () => {
    const server = await startTestServer((response) => void response.write(body[0]))
    const flow = await loadNode(server.baseUrl)
    flow.node('node').receive({ ...message })
    await vi.waitFor(() => expect(server.requests.length).toBe(1))
    const shown: unknown[] = []
    flow.node('node').status = (status: unknown) => void shown.push(status)
    const closed = (flow.node('node') as unknown as { close(): Promise<void> }).close()
    expect(shown).toEqual([{}])
    await closed
  })

  it('processes a message once after several deploys', async () => {
    const server = await startTestServer((response) => void response.end(body.join('')))
    let flow = await loadNode(server.baseUrl)
    for (let deploy = 1; deploy <= 3; deploy++) {
      await unload()
      flow = await loadNode(server.baseUrl)
    }
    flow.node('node').receive({ ...message })
    await flow.waitFor('completed', 1)
    expect(server.requests.length).toBe(1)
    const last = flow.received('out').filter(({ parts, complete }) => !parts || complete)
    expect(last.length).toBe(1)
  })

  /** The colours and shapes that a Status node received. */
  const looksOf = (flow: LoadedFlow) =>
    flow.received('shown').map(({ status }) => {
      const { fill, shape } = status as Record<string, string>
      return `${fill} ${shape}`
    })

  it('notifies a Status node of a retry', async () => {
    const flow = await loadNode(unreachableUrl)
    flow.node('node').receive({ ...message })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ error: { code: 'NOT_REACHABLE' } })
    await vi.waitFor(() => expect(looksOf(flow).at(-1)).toBe('red ring'))
    expect(looksOf(flow)).toEqual(['blue dot', 'yellow ring', 'yellow ring', 'red ring'])
  })

  it('notifies a Status node of work, failure and success', async () => {
    let isBroken = true
    const server = await startTestServer((response) => {
      if (isBroken) response.statusCode = 403
      response.end(isBroken ? '{"code":7,"message":"not for you"}' : body.join(''))
    })
    const flow = await loadNode(server.baseUrl)
    flow.node('node').receive({ ...message })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ ...message, error: { code: 'PERMISSION_DENIED' } })
    await vi.waitFor(() => expect(looksOf(flow).at(-1)).toBe('red ring'))
    expect(looksOf(flow)[0]).toBe('blue dot')
    isBroken = false
    flow.node('node').receive({ ...message })
    await flow.waitFor('completed', 1)
    await vi.waitFor(() => expect(looksOf(flow).at(-1)).toBe('green dot'))
  })

  it('reports a wrong key to Catch without the key itself', async () => {
    const flow = await loadNode(service.baseUrl, keys.wrong)
    flow.node('node').receive({ ...message })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      ...message,
      error: {
        code: 'UNAUTHENTICATED',
        message: expect.stringMatching(/key/i),
        cause: { retryable: false },
      },
    })
    const output = JSON.stringify([caught, flow.received('shown'), flow.statuses('node')])
    expect(findKeys(Buffer.from(output))).toEqual([])
    expect(flow.received('out')).toEqual([])
    expect(flow.received('completed')).toEqual([])
  })
})
