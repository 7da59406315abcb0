import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keys } from '@parlando/test-support/keys'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Sound } from '../engine.ts'
import { openSpeaker, type SpeakerOptions } from './supervisor.ts'

/** A program that does what its phrases say. Its voice is one sample: how many phrases it has spoken in this life. */
const program = `
  let phrases = 0, cancelled
  process.on('disconnect', () => process.exit())
  process.on('message', ({ type, phrase }) => {
    if (type === 'cancel') return cancelled?.()
    if (phrase === 'die') process.exit(3)
    if (phrase === 'hang') for (;;);
    if (phrase === 'refuse') return process.send({ type: 'failed', reason: 'no such voice' })
    const sound = { samples: Float32Array.of(++phrases) }
    process.send({ type: 'sound', sound })
    const end = () => process.send({ type: 'end', grownBytes: phrase === 'eat' ? 2e9 : 1e6 })
    if (phrase !== 'wait') return end()
    cancelled = () => (process.send({ type: 'sound', sound }), end())
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

async function open(options: Partial<SpeakerOptions> = {}) {
  const warnings: string[] = []
  const speaker = await openSpeaker<string[], string>({
    name: 'The parrot',
    programPath: join(folder, 'program.cjs'),
    programArguments: () => [],
    phraseLimitMs: 20_000,
    maxGrowthBytes: 1e9,
    warn: (message) => warnings.push(message),
    ...options,
  })
  onTestFinished(speaker.close)
  const say = async (phrase: string, signal = new AbortController().signal) => {
    const sounds: Sound[] = []
    await speaker.speak(phrase, signal, (sound) => sounds.push(sound))
    return sounds.map(({ samples }) => samples[0])
  }
  return { speaker, say, warnings }
}

describe('a speaker', () => {
  it('speaks one phrase after the other in one process', async () => {
    const { say } = await open()
    expect(await Promise.all([say('one'), say('two'), say('three')])).toEqual([[1], [2], [3]])
  })

  it('fails with the phrase in which its process ends, and speaks the next in a new one', async () => {
    const { say, warnings } = await open()
    const [, died, next] = await Promise.allSettled([say('one'), say('die'), say('two')])
    expect(died).toMatchObject({
      status: 'rejected',
      reason: {
        kind: 'unavailable',
        message: 'The parrot could not speak: its process ended. Ask again',
      },
    })
    expect(next).toEqual({ status: 'fulfilled', value: [1] })
    expect(warnings).toEqual(['The parrot failed in the middle of a phrase: its process ended'])
  })

  it('ends a phrase that takes too long, whatever its process does', async () => {
    const { say } = await open({ phraseLimitMs: 500 })
    await expect(say('hang')).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('took longer than 0.5 s'),
    })
    expect(await say('one')).toEqual([1])
  })

  it('ends a phrase that takes too long also when its process was slow to start', async () => {
    const starts = [[], ['slow']]
    const { say } = await open({ phraseLimitMs: 500, programArguments: () => starts.shift() ?? [] })
    await expect(say('die')).rejects.toThrow('its process ended')
    await expect(say('hang')).rejects.toThrow('took longer than 0.5 s')
  })

  it('tells why a phrase failed and goes on in the same process', async () => {
    const { say } = await open()
    await say('one')
    await expect(say('refuse')).rejects.toMatchObject({
      kind: 'input',
      message: 'The parrot cannot speak it: no such voice',
    })
    expect(await say('two')).toEqual([2])
  })

  it('replaces a process that has grown too large', async () => {
    const { say } = await open()
    expect(await say('eat')).toEqual([1])
    expect(await say('one')).toEqual([1])
  })

  it('tells the program that a phrase is not wanted any more, and hands out nothing after that', async () => {
    const { speaker, say } = await open()
    const leaving = new AbortController()
    const reason = new Error('the caller left')
    let sounds = 0
    const spoken = speaker.speak('wait', leaving.signal, () => {
      sounds += 1
      leaving.abort(reason)
    })
    await expect(spoken).rejects.toBe(reason)
    expect(sounds).toBe(1)
    expect(await say('next')).toEqual([2])
  })

  it('does not begin a phrase that nobody waits for any more', async () => {
    const { say } = await open()
    const reason = new Error('the caller left')
    await expect(say('one', AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(await say('two')).toEqual([1])
  })

  it('says why it does not start', async () => {
    const opening = open({ programArguments: () => ['broken'] })
    await expect(opening).rejects.toThrow(/it ended with 1: .*no dictionary/s)
  })

  it('does not speak when it is closed', async () => {
    const { speaker, say, warnings } = await open()
    await speaker.close()
    await expect(say('one')).rejects.toThrow('The parrot could not speak')
    expect(warnings).toEqual([])
  })

  it('keeps the keys of the service to itself', async () => {
    process.env['PARLANDO_LOCAL_API_KEY'] = keys.service
    onTestFinished(() => {
      delete process.env['PARLANDO_LOCAL_API_KEY']
    })
    const { speaker } = await open()
    expect(speaker.info).toEqual([])
  })
})
