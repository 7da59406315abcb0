import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  // Node-RED would start no flow if these were references to each other.
  { id: 'kitchen', type: 'parlando-speaker', kind: 'page', name: 'Kitchen', instead: ['', 'hall'] },
  {
    id: 'hall',
    type: 'parlando-speaker',
    kind: 'page',
    name: 'Hall & "Stairs"',
    instead: ['', 'kitchen'],
  },
  {
    id: 'desk',
    type: 'parlando-microphone',
    z: 'tab',
    x: 0,
    y: 0,
    name: 'Desk',
    kind: 'page',
    wires: [[]],
  },
]
/** A program may write it like this. */
const unknownKinds = [null, '', 'constructor'].map((kind, index) => ({
  id: `unknown${index}`,
  type: 'parlando-speaker',
  kind,
}))
// The example of the guide of Node-RED: the hash of `password`.
const pass = '$2a$08$zZWtXTja0fB1pzD4sHCMyOCMYz2Z6dNbM6tl8sJogENOMcxWV9DN.'
const settings = { httpNodeRoot: '/home', httpNodeAuth: { user: 'user', pass } }

describe('a Node-RED whose HTTP nodes need a password', () => {
  let nodeRed: NodeRedProcess
  beforeAll(async () => {
    nodeRed = await startNodeRed([...flow, ...unknownKinds], { settings })
  })
  afterAll(() => nodeRed?.close())

  const statusOf = async (method: string, path: string, password?: string) => {
    const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
    // Node-RED closes a connection that is silent for five seconds, as it may be on a busy machine.
    const headers = { connection: 'close', ...(password && { authorization }) }
    const response = await fetch(`${nodeRed.baseUrl}/home/parlando/${path}`, { method, headers })
    await response.body?.cancel()
    return response.status
  }

  it.each([
    ['GET', 'speaker/kitchen', 200],
    ['GET', 'speaker-page.js', 200],
    ['GET', 'speaker/', 200],
    ['POST', 'speaker/kitchen/token', 200],
    // Without a token.
    ['GET', 'speaker/kitchen/events?player=tablet', 403],
    ['POST', 'speaker/kitchen/report?player=tablet&id=unknown&event=ready', 200],
    ['GET', 'speaker/kitchen/audio?player=tablet&id=unknown', 404],
  ])('needs it for the page of a speaker: %s %s', async (method, path, status) => {
    expect(await statusOf(method, path)).toBe(401)
    expect(await statusOf(method, path, 'wrong')).toBe(401)
    expect(await statusOf(method, path, 'password')).toBe(status)
  })

  it('lists its pages, at the addresses of earlier versions, too', async () => {
    const headers = { authorization: `Basic ${Buffer.from('user:password').toString('base64')}` }
    for (const earlier of ['speaker', 'microphone']) {
      const response = await fetch(`${nodeRed.baseUrl}/home/parlando/${earlier}`, { headers })
      expect(response.url).toMatch(/\/home\/parlando\/$/)
      expect(await response.text()).toContain('list-page.js')
    }
    const list = await fetch(`${nodeRed.baseUrl}/home/parlando/page-list`, { headers })
    expect(await list.json()).toEqual(
      expect.arrayContaining([
        { kind: 'speaker', path: 'kitchen', name: 'Kitchen', open: 0 },
        { kind: 'speaker', path: 'hall-&-"stairs"', name: 'Hall & "Stairs"', open: 0 },
        { kind: 'microphone', path: 'desk', name: 'Desk', open: 0 },
      ]),
    )
  })

  it('starts with speakers of an unknown kind, which say so only when they should play', async () => {
    expect(nodeRed.log()).not.toContain('[error]')
    const response = await fetch(`${nodeRed.baseUrl}/parlando/test-speaker`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ speaker: { kind: 'constructor' } }),
    })
    expect(await response.json()).toMatchObject({
      error: {
        code: 'INVALID_INPUT',
        message: expect.stringContaining('no kind of speaker "constructor"'),
      },
    })
  })
})
