import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keys } from '@parlando/test-support/secrets/keys'
import { runningChildProcesses } from '@parlando/test-support/watch/child-processes'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { PhraseSound } from '../engine.ts'
import { SpeakerProcess, type SpeakerProcessOptions } from './speaker-process.ts'

/** A program whose phrases are commands. Its sound is one sample: the number of phrases since its start. */
const program = `
  let phrases = 0, cancelled
  process.on('disconnect', () => process.exit())
  process.on('message', ({ type, phrase, work }) => {
    const send = (report) => process.send({ work, ...report })
    if (type === 'cancel') return cancelled?.()
    if (phrase === 'die') process.exit(3)
    if (phrase === 'hang') for (;;);
    if (phrase === 'reject') return send({ type: 'failed', reason: 'no such voice' })
    const sound = { samples: Float32Array.of(++phrases) }
    send({ type: 'sound', sound })
    const end = () => send({ type: 'end', grownBytes: phrase === 'eat' ? 2e9 : 1e6 })
    if (phrase !== 'wait') return end()
    cancelled = () => (send({ type: 'sound', sound }), end())
  })
  if (process.argv[2] === 'broken') throw new Error('no dictionary')
  const info = Object.keys(process.env).filter((name) => name.startsWith('PARLANDO_'))
  const ready = () => process.send({ type: 'ready', info })
  if (process.argv[2] === 'slow') setTimeout(ready, 800)
  else ready()
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlando-speaker-'))
  await writeFile(join(folder, 'program.cjs'), program)
})
afterAll(() => rm(folder, { recursive: true }))

function open(options: Partial<SpeakerProcessOptions> = {}) {
  const warnings: string[] = []
  const speaker = new SpeakerProcess<string[], string>({
    name: 'The parrot',
    programPath: join(folder, 'program.cjs'),
    readArguments: () => [],
    phraseLimitMs: 20_000,
    maxGrowthBytes: 1e9,
    warn: (message) => warnings.push(message),
    ...options,
  })
  onTestFinished(() => speaker.close())
  const say = async (phrase: string, signal = new AbortController().signal) => {
    const sounds: PhraseSound[] = []
    await speaker.speak(phrase, signal, (sound) => sounds.push(sound))
    return sounds.map(({ samples }) => samples[0])
  }
  return { speaker, say, warnings }
}

describe('SpeakerProcess', () => {
  it('speaks concurrent phrases in order in one process', async () => {
    const { say } = open()
    expect(await Promise.all([say('one'), say('two'), say('three')])).toEqual([[1], [2], [3]])
  })

  it('rejects the phrase during which the process ends, and speaks the next one in a new process', async () => {
    const { say, warnings } = open()
    const [, died, next] = await Promise.allSettled([say('one'), say('die'), say('two')])
    expect(died).toMatchObject({
      status: 'rejected',
      reason: {
        kind: 'unavailable',
        message: 'The parrot could not speak: its process ended. Try again',
      },
    })
    expect(next).toEqual({ status: 'fulfilled', value: [1] })
    expect(warnings).toEqual(['The parrot failed during a phrase: its process ended'])
  })

  it('stops a phrase that takes too long, even if the process blocks', async () => {
    const { say } = open({ phraseLimitMs: 500 })
    await expect(say('hang')).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took longer than 0.5 s'),
    })
    // A busy machine can need as long for a phrase as the limit of this test.
    await expect.poll(() => say('one').catch(() => undefined)).toEqual([1])
  })

  it('stops a phrase that takes too long after a slow start of the process', async () => {
    const { say } = open({ phraseLimitMs: 500, readArguments: () => ['slow'] })
    await expect(say('hang')).rejects.toThrow('took longer than 0.5 s')
  })

  it('passes on the reason if the program rejects a phrase, and continues in the same process', async () => {
    const { say } = open()
    await say('one')
    await expect(say('reject')).rejects.toMatchObject({
      kind: 'input',
      message: 'The parrot cannot speak the phrase: no such voice',
    })
    expect(await say('two')).toEqual([2])
  })

  it('replaces a process that has grown too large', async () => {
    const { say } = open()
    expect(await say('eat')).toEqual([1])
    expect(await say('one')).toEqual([1])
  })

  it('cancels the phrase in the program after an abort, and drops later audio', async () => {
    const { speaker, say } = open()
    const disconnect = new AbortController()
    const reason = new Error('the caller disconnected')
    let sounds = 0
    const spoken = speaker.speak('wait', disconnect.signal, () => {
      sounds += 1
      disconnect.abort(reason)
    })
    await expect(spoken).rejects.toBe(reason)
    expect(sounds).toBe(1)
    expect(await say('next')).toEqual([2])
  })

  it('does not start a phrase whose signal is already aborted', async () => {
    const { say } = open()
    const reason = new Error('the caller disconnected')
    await expect(say('one', AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(await say('two')).toEqual([1])
  })

  it('rejects every phrase with the reason if the program does not start, and logs its output', async () => {
    const { say, warnings } = open({ readArguments: () => ['broken'] })
    for (const phrase of ['one', 'two']) {
      await expect(say(phrase)).rejects.toMatchObject({
        kind: 'unavailable',
        message:
          'The parrot does not start: it exited with 1. Install it again, or use another voice',
      })
    }
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toMatch(/The parrot does not start: it exited with 1\n.*no dictionary/s)
  })

  it('reads the information of the program without leaving it running', async () => {
    const { speaker } = open()
    expect(await speaker.readInfo()).toEqual([])
    expect(runningChildProcesses()).toEqual([])
    const broken = open({ readArguments: () => ['broken'] }).speaker.readInfo()
    await expect(broken).rejects.toThrow(/it exited with 1\n.*no dictionary/s)
  })

  it('rejects phrases after close', async () => {
    const { speaker, say, warnings } = open()
    await speaker.close()
    await expect(say('one')).rejects.toThrow('The parrot is closed')
    expect(warnings).toEqual([])
  })

  it('does not pass the keys of the service to the program', async () => {
    process.env['PARLANDO_LOCAL_API_KEY'] = keys.service
    onTestFinished(() => {
      delete process.env['PARLANDO_LOCAL_API_KEY']
    })
    const { speaker } = open()
    expect(await speaker.readInfo()).toEqual([])
  })
})
