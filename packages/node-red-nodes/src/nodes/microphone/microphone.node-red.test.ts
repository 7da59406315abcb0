import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type NodeRedProcess, startNodeRed } from '@parlando/test-support/node-red/process'
import { socketAddress } from '@parlando/test-support/node-red/simulated-microphone'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'

const place = { z: 'tab', x: 0, y: 0 }
const debug = { ...place, type: 'debug', active: true, tosidebar: true, targetType: 'msg' }
const microphone = { ...place, type: 'parlando-microphone', wires: [['join', 'message']] }
/** Presses send this payload. */
const press = (id: string, payload: string, to: string) => ({
  ...place,
  id,
  type: 'inject',
  props: [{ p: 'payload' }, { p: 'topic', vt: 'str' }],
  payload,
  payloadType: payload === 'louder' ? 'str' : 'bool',
  topic: 'bell',
  wires: [[to]],
})
const flow = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { ...microphone, id: 'kitchen', name: 'Kitchen', kind: 'page', mode: 'push' },
  { ...microphone, id: 'same', name: 'kitchen', kind: 'page', mode: 'tap' },
  { ...microphone, id: 'machine', name: 'Desk', kind: 'machine' },
  { ...microphone, id: 'silent', name: 'Silent', kind: 'machine', ends: 'silence' },
  press('start-silent', 'true', 'silent'),
  {
    ...place,
    id: 'join',
    type: 'join',
    mode: 'auto',
    wires: [['file', 'audio', 'topic', 'interrupted']],
  },
  {
    ...place,
    id: 'file',
    type: 'file',
    filename: 'heard.raw',
    filenameType: 'str',
    overwriteFile: 'true',
    appendNewline: false,
    createDir: false,
    encoding: 'none',
    wires: [['written']],
  },
  { ...debug, id: 'written', complete: 'topic' },
  { ...debug, id: 'audio', complete: 'audio' },
  { ...debug, id: 'topic', complete: 'topic' },
  { ...debug, id: 'interrupted', complete: 'interrupted' },
  { ...debug, id: 'message', complete: 'parts' },
  press('start-page', 'true', 'kitchen'),
  press('start', 'true', 'machine'),
  press('stop', 'false', 'machine'),
  press('again', 'true', 'both'),
  {
    ...place,
    id: 'both',
    type: 'function',
    func: "return [['stop', 'start'].map((verb) => ({ ...msg, payload: verb === 'start' }))]",
    wires: [['machine']],
  },
  press('odd', 'louder', 'machine'),
  { ...place, id: 'complete', type: 'complete', scope: ['machine'], wires: [['completed']] },
  { ...debug, id: 'completed', complete: 'topic' },
  { ...place, id: 'catch', type: 'catch', scope: null, wires: [['caught']] },
  { ...debug, id: 'caught', complete: 'error.code' },
]
// The example of the guide of Node-RED: the hash of `password`.
const pass = '$2a$08$zZWtXTja0fB1pzD4sHCMyOCMYz2Z6dNbM6tl8sJogENOMcxWV9DN.'
const settings = { httpNodeRoot: '/home', httpNodeAuth: { user: 'user', pass } }
/**
 * A recorder that writes 1,000 samples, fails at its second start, and else goes on, slowly, until it is ended. While there is
 * a file `quiet`, it writes ten seconds of silence before.
 */
const recorder = `#!/bin/sh
echo x >> "$STARTS"
[ -e "$QUIET" ] && head -c 320000 /dev/zero
head -c 2000 /dev/zero
[ $(wc -l < "$STARTS") = 2 ] && { echo unplugged >&2; exit 1; }
exec '${process.execPath}' -e 'setInterval(() => process.stdout.write("\\0\\0"), 500)'
`

const patient = { timeout: 90_000 }

describe('a Node-RED with microphones, whose HTTP nodes need a password', () => {
  let folder: string
  let nodeRed: NodeRedProcess
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recorder-'))
    await writeFile(join(folder, 'parec'), recorder, { mode: 0o755 })
    const PATH = [folder, process.env['PATH']].join(delimiter)
    const files = { STARTS: join(folder, 'starts'), QUIET: join(folder, 'quiet') }
    const environment = { ...process.env, PATH, ...files }
    nodeRed = await startNodeRed(flow, { settings, environment })
  })
  afterAll(async () => {
    await nodeRed?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const request = (method: string, path: string, password?: string) => {
    const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`
    return fetch(`${nodeRed.baseUrl}/home/parlando/${path}`, {
      method,
      ...(password && { headers: { authorization } }),
    })
  }
  const connect = async () => {
    const response = await request('POST', 'microphone/kitchen/token', 'password')
    const { token } = (await response.json()) as { token: string }
    const socket = new WebSocket(socketAddress(`${nodeRed.baseUrl}/home`, 'kitchen', token))
    await once(socket, 'message')
    return socket
  }
  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 })

  it.each([
    ['GET', 'microphone/kitchen', 200],
    ['GET', 'microphone/kitchen/', 200],
    ['GET', 'microphone/bathroom', 404],
    ['GET', 'microphone-page.js', 200],
    ['GET', 'microphone-worklet.js', 200],
    ['POST', 'microphone/kitchen/token', 200],
  ])('needs it for the page of a microphone: %s %s', async (method, path, status) => {
    const statusOf = async (password?: string) => {
      const response = await request(method, path, password)
      await response.body?.cancel()
      return response.status
    }
    expect(await statusOf()).toBe(401)
    expect(await statusOf('wrong')).toBe(401)
    expect(await statusOf('password')).toBe(status)
  })

  it('rejects a connection without a token, also with the password', async () => {
    const address = socketAddress(`${nodeRed.baseUrl}/home`, 'kitchen', '')
    const socket = new WebSocket(address, { auth: 'user:password' })
    const [, response] = await once(socket, 'unexpected-response')
    expect(response.statusCode).toBe(401)
  })

  it('sends the recordings of a page, and closes its connections at a deploy', async () => {
    const socket = await connect()
    await until(() => expect(nodeRed.statuses('kitchen').at(-1)).toContain('status.connected'))
    socket.send('{"type":"start"}')
    for (let count = 0; count < 5; count++) socket.send(Buffer.alloc(640, count))
    await until(() => expect(nodeRed.statuses('kitchen').at(-1)).toContain('status.recording'))
    socket.send('{"type":"end"}')
    await until(() => expect(nodeRed.debugTexts('written')).toEqual(['Kitchen']))
    const pcm = Buffer.concat([0, 1, 2, 3, 4].map((value) => Buffer.alloc(640, value)))
    expect(await readFile(join(nodeRed.folder, 'heard.raw'))).toEqual(pcm)
    expect(JSON.parse(nodeRed.debugTexts('audio')[0]!)).toEqual({
      encoding: 'PCM',
      mediaType: 'audio/pcm',
      sampleRateHertz: 16_000,
      channels: 1,
      bytes: 3200,
      durationSeconds: 0.1,
    })
    const parts = nodeRed.debugTexts('message').map((text) => JSON.parse(text))
    expect(parts.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5])
    expect(parts.map(({ count }) => count)).toEqual([...Array(5).fill(undefined), 6])
    const closed = once(socket, 'close')
    await nodeRed.deploy(flow)
    expect((await closed)[0]).toBe(1012)
    const next = await connect()
    next.close()
  })

  it('has one microphone with a name, and says so', async () => {
    await until(() =>
      expect(nodeRed.statuses('same').at(-1)).toBe('Another microphone has the page "kitchen"'),
    )
    expect(nodeRed.log()).toContain('give this one another name')
  })

  it('records on the machine from one message to the next', async () => {
    const before = nodeRed.debugTexts('written').length
    const messages = nodeRed.debugTexts('message').length
    await nodeRed.inject('start')
    await until(() => expect(nodeRed.statuses('machine').at(-1)).toContain('status.recording'))
    await until(() => expect(nodeRed.debugTexts('message').length).toBeGreaterThan(messages))
    await nodeRed.inject('stop')
    await until(() => expect(nodeRed.debugTexts('written')).toHaveLength(before + 1))
    expect((await readFile(join(nodeRed.folder, 'heard.raw'))).length).toBeGreaterThanOrEqual(2000)
    expect(nodeRed.debugTexts('topic').at(-1)).toBe('bell')
    expect(nodeRed.debugTexts('interrupted').at(-1)).toBe('(undefined)')
    // The messages that started and ended it.
    await until(() => expect(nodeRed.debugTexts('completed')).toEqual(['bell', 'bell']))
    await until(() => expect(nodeRed.statuses('machine').at(-1)).toBe(''))
  })

  it('ends a recording whose program fails as interrupted, with an error for Catch', async () => {
    const before = nodeRed.debugTexts('written').length
    await nodeRed.inject('start')
    await until(() => expect(nodeRed.debugTexts('caught')).toEqual(['NO_MICROPHONE']))
    await until(() => expect(nodeRed.debugTexts('interrupted').at(-1)).toBe('true'))
    await until(() => expect(nodeRed.statuses('machine').at(-1)).toContain('cause.NO_MICROPHONE'))
    await until(() => expect(nodeRed.debugTexts('written')).toHaveLength(before + 1))
  })

  it('begins the next recording when the program of the one before has exited', async () => {
    const before = nodeRed.debugTexts('written').length
    // A recording that is stopped before its first samples sends nothing.
    const begun = () =>
      nodeRed.debugTexts('message').filter((text) => JSON.parse(text).index === 0).length
    const begunBefore = begun()
    await nodeRed.inject('start')
    await until(() => expect(begun()).toBe(begunBefore + 1))
    await nodeRed.inject('again')
    await until(() => expect(nodeRed.debugTexts('written')).toHaveLength(before + 1))
    await until(() => expect(begun()).toBe(begunBefore + 2))
    await nodeRed.inject('stop')
    await until(() => expect(nodeRed.debugTexts('written')).toHaveLength(before + 2))
  })

  // The service that detects speech starts for it.
  it('ends a recording of the machine on silence, if the form says so', patient, async () => {
    await writeFile(join(folder, 'quiet'), '')
    const before = nodeRed.debugTexts('written').length
    await nodeRed.inject('start-silent')
    await until(() => expect(nodeRed.debugTexts('written')).toHaveLength(before + 1))
    expect((await readFile(join(nodeRed.folder, 'heard.raw'))).length).toBeGreaterThan(8 * 32_000)
    expect(nodeRed.debugTexts('interrupted').at(-1)).toBe('(undefined)')
  })

  it('rejects a message that it does not know, and one that would start a page', async () => {
    for (const id of ['odd', 'start-page']) await nodeRed.inject(id)
    const codes = ['NO_MICROPHONE', 'INVALID_INPUT', 'INVALID_INPUT']
    await until(() => expect(nodeRed.debugTexts('caught')).toEqual(codes))
  })

  it('leaves no program behind when a deploy removes the node', async () => {
    await nodeRed.inject('start')
    await until(() => expect(nodeRed.statuses('machine').at(-1)).toContain('status.recording'))
    await nodeRed.deploy([])
    expect(nodeRed.log()).not.toContain('[error] [parlando-microphone:Desk]')
  })
})
