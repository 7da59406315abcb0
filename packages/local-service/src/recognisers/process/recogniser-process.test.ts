import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { BusyError } from '../../errors/service-error.ts'
import { recogniserRateHertz } from '../recogniser.ts'
import { RecogniserProcess, type RecogniserProcessOptions } from './recogniser-process.ts'

/** A program whose utterances are commands. Their text is the number of utterances since its start, and of samples. */
const program = `
  let utterances = 0
  const open = new Map()
  process.on('disconnect', () => process.exit())
  process.on('message', ({ type, work, start, samples }) => {
    const send = (report) => process.send({ work, ...report })
    if (type === 'open') {
      utterances += 1
      open.set(work, { start, length: 0 })
      if (start === 'reject') send({ type: 'failed', kind: 'input', reason: 'no such word' })
      return
    }
    const state = open.get(work)
    if (type === 'ending') state.isEnding = true
    else if (type === 'samples') {
      if (state.start === 'die') process.exit(3)
      if (state.start === 'hang') for (;;);
      if (state.start === 'count late') state.length += state.isEnding ? samples.length : 0
      else state.length += samples.length
      send({ type: 'taken', samples: samples.length, text: 'so far ' + Math.floor(state.length / 8000) })
    } else if (type === 'cancel') send({ type: 'cancelled' })
    else {
      const text = utterances + ' utterances, ' + state.length + ' samples'
      send({ type: 'ended', result: { text }, grownBytes: state.start === 'eat' ? 2e9 : 1e6 })
    }
  })
  if (process.argv[2] === 'broken') throw new Error('no dictionary')
  const info = Object.keys(process.env).filter((name) => name.startsWith('PARLANDO_'))
  process.send({ type: 'ready', info })
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-recogniser-'))
  await writeFile(join(folder, 'program.cjs'), program)
})
afterAll(() => rm(folder, { recursive: true }))

const second = new Int16Array(recogniserRateHertz)

function open(options: Partial<RecogniserProcessOptions> = {}) {
  const warnings: string[] = []
  const recogniser = new RecogniserProcess<string[], string>({
    name: 'The ear',
    programPath: join(folder, 'program.cjs'),
    readArguments: () => [],
    slots: 2,
    maxGrowthBytes: 1e9,
    warn: (message) => warnings.push(message),
    ...options,
  })
  onTestFinished(() => recogniser.close())
  const start = (command: string, signal = new AbortController().signal) =>
    recogniser.open(command, { signal })
  const recognise = async (command: string) => {
    const recognition = start(command)
    await recognition.write(second)
    return (await recognition.end()).text
  }
  return { recogniser, start, recognise, warnings }
}

describe('RecogniserProcess', () => {
  it('recognises utterances in parallel and one after the other in one process', async () => {
    const { recognise } = open()
    const texts = await Promise.all(['one', 'two', 'three'].map(recognise))
    expect(texts.at(-1)).toBe('3 utterances, 16000 samples')
  })

  it('reports each interim text once', async () => {
    const { recogniser } = open()
    const interim: string[] = []
    const { signal } = new AbortController()
    const recognition = recogniser.open('one', { signal, onInterim: (text) => interim.push(text) })
    await recognition.write(second)
    await recognition.end()
    expect(interim).toEqual(['so far 0', 'so far 1', 'so far 2'])
  })

  it('keeps the samples of an utterance that waits for a slot, up to 30 s', async () => {
    const { start } = open({ slots: 1 })
    const first = start('one')
    const waiting = start('two')
    for (let written = 0; written < 29; written++) await waiting.write(second)
    let isTaken = false
    const next = waiting.write(second).then(() => (isTaken = true))
    await wait(50)
    expect(isTaken).toBe(false)
    await first.end()
    await next
    expect(await waiting.end()).toEqual({ text: '2 utterances, 480000 samples' })
  })

  it('notifies the program that nothing more is said before it sends the samples that wait', async () => {
    const { start } = open({ slots: 1 })
    const recognition = start('count late')
    for (let written = 0; written < 3; written++) await recognition.write(second)
    expect(await recognition.end()).toEqual({ text: '1 utterances, 48000 samples' })
  })

  it('rejects an utterance if too many wait', async () => {
    const { start } = open({ slots: 1, maxWaiting: 1 })
    start('one')
    start('two')
    expect(() => start('three')).toThrow(BusyError)
  })

  it('rejects the utterances during which the process ends, and recognises the next one in a new process', async () => {
    const { start, recognise, warnings } = open()
    const other = start('one')
    await other.write(second)
    const died = start('die')
    await died.write(second)
    const failure = {
      kind: 'unavailable',
      message: 'The ear failed: its process ended. Try again',
    }
    await expect(died.end()).rejects.toMatchObject(failure)
    await expect(died.write(second)).rejects.toMatchObject(failure)
    await expect(other.end()).rejects.toMatchObject(failure)
    expect(await recognise('next')).toBe('1 utterances, 16000 samples')
    expect(warnings).toEqual(['The ear failed during an utterance: its process ended'])
  })

  describe('after a minute in which nothing happens', () => {
    const minuteMs = 60_000
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    })
    afterEach(() => void vi.useRealTimers())

    it('stops a process that hangs', async () => {
      const { start, recognise, warnings } = open()
      await recognise('one')
      const recognition = start('hang')
      await recognition.write(second)
      const ended = recognition.end().catch((error: Error) => error)
      await vi.advanceTimersByTimeAsync(minuteMs)
      const message = 'The ear did not respond for 60 s. Try again'
      expect(await ended).toMatchObject({ kind: 'timeout', message })
      expect(warnings[0]).toBe('The ear did not respond for 60 s and was stopped')
      expect(await recognise('next')).toBe('1 utterances, 16000 samples')
    })

    it('ends an utterance whose caller sends nothing more, and keeps the process', async () => {
      const { recogniser, recognise, warnings } = open({ slots: 1 })
      let noteTaken = () => {}
      const taken = new Promise<void>((resolve) => (noteTaken = resolve))
      const recognition = recogniser.open('one', {
        signal: new AbortController().signal,
        onInterim: (text) => text === 'so far 2' && noteTaken(),
      })
      await recognition.write(second)
      await taken
      const next = recognise('two')
      await vi.advanceTimersByTimeAsync(minuteMs)
      expect(await next).toBe('2 utterances, 16000 samples')
      await expect(recognition.end()).rejects.toMatchObject({ kind: 'timeout' })
      expect(warnings).toEqual([])
    })
  })

  it('passes on the reason if the program rejects an utterance', async () => {
    const { start, recognise, warnings } = open()
    const failure = { kind: 'input', message: 'no such word' }
    await expect(start('reject').end()).rejects.toMatchObject(failure)
    expect(await recognise('next')).toBe('2 utterances, 16000 samples')
    expect(warnings).toEqual([])
  })

  it('replaces a process that has grown too large after its last utterance', async () => {
    const { start, recognise } = open()
    const running = start('one')
    await running.write(second)
    expect(await recognise('eat')).toBe('2 utterances, 16000 samples')
    expect(await recognise('next')).toBe('1 utterances, 16000 samples')
    expect(await running.end()).toEqual({ text: '2 utterances, 16000 samples' })
    await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(1))
  })

  it('rejects with the reason of an abort at once, and releases the slot', async () => {
    const { start, recognise } = open({ slots: 1 })
    const abort = new AbortController()
    const reason = new Error('the caller disconnected')
    const recognition = start('one', abort.signal)
    await recognition.write(second)
    const waiting = start('two', abort.signal)
    const ended = recognition.end()
    abort.abort(reason)
    await expect(waiting.end()).rejects.toBe(reason)
    await ended.catch((error) => expect(error).toBe(reason))
    expect(await recognise('next')).toMatch('16000 samples')
  })

  it('ends an idle process, and starts it again', async () => {
    const { recognise } = open({ idleLimitMs: 50 })
    await recognise('one')
    expect(runningChildProcesses()).toHaveLength(1)
    await vi.waitFor(() => expect(runningChildProcesses()).toHaveLength(0))
    expect(await recognise('two')).toBe('1 utterances, 16000 samples')
  })

  it('reports why the program does not start, without its output', async () => {
    const { start, warnings } = open({ readArguments: () => ['broken'] })
    await expect(start('one').end()).rejects.toMatchObject({
      kind: 'unavailable',
      message:
        'The ear does not start: it exited with 1. Install it again, or use another recogniser',
    })
    expect(warnings[0]).toContain('no dictionary')
  })

  it('keeps the keys of the service from the program', async () => {
    vi.stubEnv('PARLANDO_LOCAL_API_KEY', 'secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await open().recogniser.readInfo()).toEqual([])
  })

  it('ends the process and running utterances when it closes', async () => {
    const { recogniser, start } = open()
    const recognition = start('one')
    await recognition.write(second)
    const ended = recognition.end().catch((error: Error) => error)
    await recogniser.close()
    expect(runningChildProcesses()).toEqual([])
    await ended
    expect(() => start('two')).toThrow('The ear is closed')
  })
})
