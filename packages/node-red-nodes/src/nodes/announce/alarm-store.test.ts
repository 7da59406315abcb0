import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { savableMessage } from '../../saved/savable-message.ts'
import { createAlarmStore, type SavedAlarm } from './alarm-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'parlando-alarms-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newPath = () => join(folder, `${++files}`, 'alarms.json')
const open = (path: string) =>
  createAlarmStore(path, (error) => {
    throw error
  })
const alarm = (id: string, changes: Partial<SavedAlarm> = {}): SavedAlarm => ({
  id,
  nodeId: 'node',
  message: { payload: 'Fire' },
  text: 'Fire',
  times: 1,
  ...changes,
})

describe('the store of alarms', () => {
  it('keeps alarms over a restart, for the node that announces them', async () => {
    const path = newPath()
    const store = open(path)
    store.save(alarm('a'))
    store.save(alarm('b', { nodeId: 'another node' }))
    store.save(alarm('c'))
    store.save(alarm('a', { times: 2 }))
    store.remove('c')
    await store.flush()
    expect(open(path).of('node')).toEqual([alarm('a', { times: 2 })])
    expect(readdirSync(join(path, '..'))).toEqual(['alarms.json'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('keeps the 200 newest, reports each that it forgets, and writes once for many changes', async () => {
    const path = newPath()
    let forgotten = 0
    const store = createAlarmStore(path, ({ message }) => {
      expect(message).toBe('only 200 are saved')
      forgotten += 1
    })
    for (let index = 0; index < 10_000; index++) store.save(alarm(`${index}`))
    await store.flush()
    const ids = open(path)
      .of('node')
      .map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: 200 }, (_, index) => `${9800 + index}`))
    expect(forgotten).toBe(9800)
  })

  it.each(['', 'no JSON', '{}'])('reports a damaged file once, and keeps it: %j', async (text) => {
    const path = newPath()
    const store = open(path)
    store.save(alarm('a'))
    await store.flush()
    writeFileSync(path, text)
    const errors: string[] = []
    const reopened = createAlarmStore(path, ({ message }) => errors.push(message))
    expect(reopened.of('node')).toEqual([])
    const start = `${path} cannot be read and is now ${path}.damaged: `
    expect(errors).toEqual([expect.stringContaining(start)])
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe(text)
    reopened.save(alarm('b'))
    await reopened.flush()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([alarm('b')])
    expect(errors).toHaveLength(1)
  })

  it('ignores entries that are no alarms', () => {
    const path = newPath()
    mkdirSync(join(path, '..'), { recursive: true })
    const damaged = { ...alarm('b'), hasLeft: 'yes' }
    writeFileSync(path, JSON.stringify([1, null, { id: 'a' }, damaged]))
    expect(open(path).of('node')).toEqual([])
    expect(existsSync(`${path}.damaged`)).toBe(false)
  })

  it('reports a folder that cannot be written, and goes on', async () => {
    const file = join(folder, 'a file')
    writeFileSync(file, '')
    const errors: Error[] = []
    const store = createAlarmStore(join(file, 'alarms.json'), (error) => errors.push(error))
    store.save(alarm('a'))
    await store.flush()
    expect(errors).toHaveLength(1)
    expect(store.of('node')).toEqual([alarm('a')])
  })
})

describe('the message of a saved alarm', () => {
  it('leaves out the connection of an HTTP request', () => {
    const message = { _msgid: '1', payload: 'Fire', req: {}, res: {} }
    expect(savableMessage(message, 'Fire')).toEqual({ _msgid: '1', payload: 'Fire' })
  })

  it('has only its small members if JSON cannot hold it, or if it is large', () => {
    const repeat = { untilAcknowledged: true }
    const small = { _msgid: '1', topic: 'fire', payload: { floor: 2 }, repeat }
    const circular = { ...small, self: {}, count: 1n }
    circular.self = circular
    expect(savableMessage(circular, 'Fire')).toEqual(small)
    const [photo, video] = [Buffer.alloc(100_000), { frames: [Buffer.alloc(100_000)] }]
    expect(savableMessage({ photo, video, ...small }, 'Fire')).toEqual(small)
  })

  it('has the text in place of a large payload', () => {
    const message = { payload: Buffer.alloc(100_000), floor: 2 }
    expect(savableMessage(message, 'Fire')).toEqual({ payload: 'Fire', floor: 2 })
  })

  it('has no member that cannot be read', () => {
    const message = Object.defineProperty({ floor: 2 }, 'photo', {
      enumerable: true,
      get() {
        throw new Error('cannot be read')
      },
    })
    expect(savableMessage(message, 'Fire')).toEqual({ payload: 'Fire', floor: 2 })
  })

  it('has a limited length, however many members it has', () => {
    const members = Array.from({ length: 1000 }, (_, index) => [`m${index}`, 'x'.repeat(1000)])
    const saved = savableMessage(Object.fromEntries(members), 'Fire')
    expect(saved).toMatchObject({ m0: members[0]![1] })
    expect(JSON.stringify(saved).length).toBeLessThan(80_000)
  })

  it('keeps a small Buffer over a restart, and does not convert a large one', async () => {
    const message = { _msgid: '1', topic: 'fire', photo: Buffer.from('small') }
    const path = newPath()
    const store = open(path)
    store.save(alarm('a', { message: savableMessage(message, 'Fire') }))
    await store.flush()
    expect(open(path).of('node')[0]!.message).toEqual(message)

    const photo = Buffer.alloc(1_000_000)
    photo.toJSON = () => {
      throw new Error('it was converted')
    }
    const expected = { _msgid: '1', topic: 'fire', payload: 'Fire' }
    expect(savableMessage({ ...message, photo } as typeof message, 'Fire')).toEqual(expected)
  })
})
