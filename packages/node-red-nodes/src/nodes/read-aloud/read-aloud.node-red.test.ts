import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { useReadAloud } from '@parlando/test-support/node-red/flows/read-aloud-flow'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Priority } from '../../announcements/announcement.ts'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import type { Failure } from '../../runtime/failure.ts'
import { watchMessage } from '../../runtime/watched-messages.ts'
import { soundOf } from '../../sounds/sound.ts'
import type { Speaker } from '../../speakers/speaker.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'
import type { RecentText } from '../../studio-server/recent-text.ts'

const { loadReadAloud, unload, forget, userFolder, postToAdmin } = useReadAloud()
afterEach(async () => {
  await unload()
  forget()
})
const payload = 'One came. Two came. Three came.'
const failing = new SpeakerError('NO_PLAYER', 'The tablet is off.')

describe('read aloud', () => {
  it('says a text sentence by sentence, and sends its message at the end', async () => {
    const { flow, send, hearsToEnd, speaker } = await loadReadAloud()
    send({ payload, topic: 'news', mine: 1 })
    await hearsToEnd('One came.')
    const [message] = await flow.waitFor('read-to-end', 1)
    expect(message).toMatchObject({ payload, topic: 'news', mine: 1 })
    expect(message!['reading']).toMatchObject({
      status: 'read',
      sentence: 3,
      sentences: 3,
      speakers: [{ name: 'kitchen', status: 'said' }],
    })
    await flow.waitFor('completed', 1)
    expect(speaker.said).toHaveLength(1)
    expect(flow.received('not-read')).toEqual([])
    expect(flow.statuses('read').at(-1)).toMatchObject({ fill: 'green' })
  })

  it('makes at most a passage and a sentence ahead', async () => {
    const { send, hears, requested } = await loadReadAloud()
    const sentences = Array.from(
      { length: 40 },
      (_, index) => `Number ${index} came${' and went'.repeat(25)}.`,
    )
    send({ payload: sentences.join(' ') })
    await hears(sentences[0]!)
    expect(requested().join('').length).toBeLessThan(1_500 + 250)
    send({ skip: 20 })
    await hears(sentences[20]!)
    expect(requested().join('').length).toBeLessThan(2 * (1_500 + 250))
  })

  it('knows which sentence of a passage is heard', async () => {
    const { send, hears, speaker, positions } = await loadReadAloud()
    send({ payload })
    await hears('One came.')
    speaker.begin()
    await vi.waitFor(() => expect(positions()[0]?.index).toBe(2), { timeout: 20_000 })
    send({ pause: true })
    await vi.waitFor(() => expect(speaker.saying).toBeUndefined())
    send({ resume: true })
    await hears('Three came.')
  })

  it('is one text of those that were spoken lately', async () => {
    const { send, hearsToEnd, flow } = await loadReadAloud()
    send({ payload })
    await hearsToEnd('One came.')
    await flow.waitFor('read-to-end', 1)
    send({ payload: 'Another text.' })
    await hearsToEnd('Another text.')
    await flow.waitFor('read-to-end', 2)
    const { texts } = (await postToAdmin('/parlando/studio/recent', {})).body as {
      texts: RecentText[]
    }
    expect(texts.map(({ text, sentences }) => [text, sentences])).toEqual([
      ['Another text.', undefined],
      ['Three came.', 3],
    ])
  })

  it('leaves out Markdown, and what nobody can say', async () => {
    const { send, hearsToEnd, flow, requested } = await loadReadAloud()
    send({ payload: '# News\n\nIt **rains**.\n\n---\n\n🙂\n\n```js\ncode()\n```\n\nBye.' })
    await hearsToEnd('News.')
    await flow.waitFor('read-to-end', 1)
    expect(requested()).toEqual(['News.', 'It rains.', 'Bye.'])
  })
})

describe('a text that is read aloud', () => {
  it('is silent after msg.pause, and goes on with the interrupted sentence after msg.resume', async () => {
    const { send, hears, shows, speaker } = await loadReadAloud()
    send({ payload })
    await hears('One came.')
    send({ skip: 1 })
    await hears('Two came.')
    send({ pause: true })
    await shows('status.paused')
    await vi.waitFor(() => expect(speaker.saying).toBeUndefined())
    send({ resume: true })
    await hears('Two came.')
    expect(speaker.said).toEqual(['One came.', 'Two came.', 'Two came.'])
  })

  it('goes on at another sentence after msg.skip, and is over behind the last one', async () => {
    const { flow, send, hears, speaker } = await loadReadAloud()
    send({ payload })
    await hears('One came.')
    send({ skip: 2 })
    await hears('Three came.')
    send({ skip: '-1' })
    await hears('Two came.')
    send({ skip: -100 })
    await hears('One came.')
    send({ skip: 3 })
    const [message] = await flow.waitFor('read-to-end', 1)
    expect(message).toMatchObject({ reading: { status: 'read', sentence: 3 } })
    expect(speaker.said).toHaveLength(4)
  })

  it('stays paused when it is skipped', async () => {
    const { send, hears, shows, speaker } = await loadReadAloud()
    send({ payload })
    await hears('One came.')
    send({ pause: true })
    send({ skip: 2 })
    await shows('status.paused')
    send({ resume: true })
    await hears('Three came.')
    expect(speaker.said).toEqual(['One came.', 'Three came.'])
  })

  it('leaves at the second output after msg.stop, together with those that wait', async () => {
    const { flow, send, hears } = await loadReadAloud()
    send({ payload, topic: 'first' })
    await hears('One came.')
    send({ payload: 'Later.', topic: 'second' })
    await vi.waitFor(() => expect(flow.statuses('read').at(-1)?.text).toContain('status.waiting'))
    send({ stop: true, topic: 'a button' })
    const messages = await flow.waitFor('not-read', 2)
    expect(messages).toMatchObject([
      { topic: 'first', reading: { status: 'not read', reason: 'stopped', sentence: 0 } },
      { topic: 'second', reading: { reason: 'stopped' } },
    ])
    await flow.waitFor('completed', 2)
    expect(flow.received('caught')).toEqual([])
  })

  it('waits for the end of another one, but is read before one that is paused', async () => {
    const { send, hears, hearsToEnd, shows } = await loadReadAloud()
    send({ payload: 'The first.' })
    send({ payload: 'The second. Its end.' })
    await hearsToEnd('The first.')
    await hears('The second.')
    send({ pause: true })
    await shows('status.paused')
    send({ payload: 'The third.' })
    await hearsToEnd('The third.')
    await shows('status.paused')
    send({ resume: true })
    await hears('The second.')
  })

  it('is read before one that is paused, also if another new one is read first', async () => {
    const { send, hears, hearsToEnd, shows, positions } = await loadReadAloud()
    send({ payload: 'The first. Its end.' })
    await hears('The first.')
    send({ pause: true })
    await shows('status.paused')
    send({ payload: 'The second.' })
    await hears('The second.')
    send({ payload: 'The third.' })
    await vi.waitFor(() => expect(positions()).toHaveLength(3))
    await hearsToEnd('The second.')
    await hearsToEnd('The third.')
    await shows('status.paused')
  })

  it('is not interrupted by the end of one that waits', async () => {
    const { flow, send, hears, speaker } = await loadReadAloud()
    send({ payload, topic: 'first' })
    await hears('One came.')
    send({ payload: 'Later.', topic: 'second' })
    await vi.waitFor(() => expect(flow.statuses('read').at(-1)?.text).toContain('status.waiting'))
    send({ stop: true, topic: 'second' })
    const [message] = await flow.waitFor('not-read', 1)
    expect(message).toMatchObject({ topic: 'second', reading: { reason: 'stopped' } })
    speaker.finish()
    await flow.waitFor('read-to-end', 1)
    expect(speaker.said).toEqual(['One came.'])
  })

  it('is said again from the start of the sentence after an announcement, however often', async () => {
    const { flow, send, hears, hearsToEnd, speaker } = await loadReadAloud()
    send({ payload })
    for (let times = 1; times <= 3; times++) {
      await hears('One came.')
      const doorbell = announceOn(speaker, 'Somebody is at the door.')
      await hearsToEnd('Somebody is at the door.')
      await doorbell
    }
    await hearsToEnd('One came.')
    await flow.waitFor('read-to-end', 1)
  })

  it('goes on after an urgent announcement with the sentence that was interrupted, whatever its own priority', async () => {
    const settings = { priority: 'normal' }
    const { flow, send, hears, hearsToEnd, speaker, positions } = await loadReadAloud({ settings })
    send({ payload })
    await hears('One came.')
    speaker.begin()
    await vi.waitFor(() => expect(positions()[0]?.index).toBe(2), { timeout: 20_000 })
    const doorbell = announceOn(speaker, 'Somebody is at the door.', 'urgent')
    await hearsToEnd('Somebody is at the door.')
    await doorbell
    await hearsToEnd('Three came.')
    await flow.waitFor('read-to-end', 1)
  })

  it('is paused by a failure, which Catch receives, and goes on when that is over', async () => {
    const { flow, send, hears, shows, speaker } = await loadReadAloud()
    send({ payload, topic: 'news' })
    await hears('One came.')
    speaker.begin()
    speaker.fail(failing)
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ payload, error: { code: 'NO_PLAYER' } })
    await shows('cause.NO_PLAYER')
    expect(flow.received('not-read')).toEqual([])
    send({ resume: true })
    await vi.waitFor(() => expect(speaker.said).toHaveLength(2))
    speaker.finish()
    await flow.waitFor('read-to-end', 1)
  })

  it('ends with the error if its first sentence fails', async () => {
    const { flow, send, speaker } = await loadReadAloud()
    speaker.failure = failing
    send({ payload })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ payload, error: { code: 'NO_PLAYER' } })
    const [message] = await flow.waitFor('not-read', 1)
    expect(message).toMatchObject({
      reading: { status: 'not read', reason: 'failed', error: { code: 'NO_PLAYER' } },
    })
  })

  it('is paused by quiet hours, and says so', async () => {
    const clock = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toTimeString().slice(0, 5)
    const now = { from: clock(-1), to: clock(1) }
    const quietHours = { ...now, minPriority: 'normal', action: 'drop' } as const
    const { send, shows, hears, speaker } = await loadReadAloud()
    speaker.settings.quietHours = quietHours
    send({ payload })
    await shows('reason.quiet-hours')
    delete speaker.settings.quietHours
    send({ resume: true })
    await hears('One came.')
  })
})

describe('a restart', () => {
  it('leaves a text paused at its sentence, and it goes on when somebody wants it', async () => {
    const before = await loadReadAloud()
    before.send({ payload, topic: 'news', mine: 1 })
    await before.hears('One came.')
    before.send({ skip: 1 })
    await before.hears('Two came.')
    await unload()
    const after = await loadReadAloud()
    await after.shows('status.paused')
    expect(after.speaker.said).toEqual([])
    after.send({ resume: true })
    await after.hearsToEnd('Two came.')
    const [message] = await after.flow.waitFor('read-to-end', 1)
    expect(message).toMatchObject({ topic: 'news', mine: 1, reading: { sentence: 3 } })
    expect(message!.payload).toBe('One came.\nTwo came.\nThree came.')
    await unload()
    const saved = (name: string) =>
      JSON.parse(readFileSync(join(userFolder, 'parlando', name), 'utf8'))
    expect(saved('readings.json')).toEqual([])
    expect(saved('reading-positions.json')).toEqual([])
  })

  it('ends a text that arrives after it has begun', async () => {
    const { flow, send, hears } = await loadReadAloud()
    send({ payload })
    await hears('One came.')
    const node = flow.node('read')
    const late = { payload: 'Too late.' }
    const ended = new Promise<Failure | undefined>((resolve) =>
      watchMessage(late, { sent() {}, ended: resolve }),
    )
    const unloading = unload()
    node.receive(late)
    await unloading
    expect(await ended).toBe(undefined)
  })

  it('is over before what arrives meanwhile is obeyed', async () => {
    const before = await loadReadAloud()
    before.send({ payload, topic: 'news' })
    await before.hears('One came.')
    await unload()
    const again = await loadReadAloud({ whileStarting: [{ skip: 1 }, { resume: true }] })
    await again.hears('Two came.')
    await again.flow.waitFor('completed', 2)
    await unload()
    const after = await loadReadAloud({ whileStarting: [{ stop: true }] })
    const [message] = await after.flow.waitFor('not-read', 1)
    expect(message).toMatchObject({ topic: 'news', reading: { reason: 'stopped', sentence: 1 } })
    await after.flow.waitFor('completed', 1)
    expect(after.speaker.said).toEqual([])
  })

  it('ends a text with its failure if nobody has heard any of it before or since', async () => {
    const before = await loadReadAloud({ respond: () => {} })
    before.send({ payload })
    await vi.waitFor(() => expect(before.positions()).toHaveLength(1))
    await unload()
    const respond = (response: ServerResponse) => void response.writeHead(404).end('{}')
    const after = await loadReadAloud({ respond })
    after.send({ resume: true })
    const [message] = await after.flow.waitFor('not-read', 1)
    expect(message).toMatchObject({ reading: { reason: 'failed', error: { code: 'NOT_FOUND' } } })
  })

  it('keeps the order of the texts and which are paused, and begins one whose position is lost', async () => {
    const before = await loadReadAloud()
    before.send({ payload: 'The first. Its end.' })
    await before.hears('The first.')
    before.send({ pause: true })
    before.send({ payload: 'The second. Its end.' })
    await before.hears('The second.')
    before.send({ skip: 1 })
    await before.hears('Its end.')
    await unload()
    const again = await loadReadAloud()
    again.send({ resume: true })
    await again.hearsToEnd('Its end.')
    await again.shows('status.paused')
    again.send({ resume: true })
    await again.hears('The first.')
    await unload()
    writeFileSync(join(userFolder, 'parlando/reading-positions.json'), '[1, {"id": "x"}]')
    const after = await loadReadAloud()
    after.send({ resume: true })
    await after.hears('The first.')
  })
})

describe('a message to read aloud', () => {
  it.each([
    [{ payload: '' }, 'INVALID_INPUT'],
    [{ payload, priority: 'alarm' }, 'INVALID_INPUT'],
    [{ payload, volume: 'loud' }, 'INVALID_INPUT'],
    [{ payload: 'x'.repeat(2_000_001) }, 'OUT_OF_RANGE'],
  ])('is rejected with a code: %#', async (message, code) => {
    const { flow, send } = await loadReadAloud({ settings: { clean: false } })
    send(message)
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ error: { code } })
    expect(await flow.waitFor('not-read', 1)).toMatchObject([{ reading: { error: { code } } }])
  })

  it('is rejected if 20 texts wait, which are read nevertheless', async () => {
    const { flow, send, hears } = await loadReadAloud()
    for (let count = 1; count <= 21; count++) send({ payload: `Text ${count}.` })
    const [message] = await flow.waitFor('not-read', 1)
    expect(message).toMatchObject({ payload: 'Text 21.' })
    const caught = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject([{ error: { code: 'OUT_OF_RANGE' } }])
    await hears('Text 1.')
  })

  it('must have a whole number in msg.skip', async () => {
    const { flow, send } = await loadReadAloud()
    send({ skip: 'two' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ error: { code: 'INVALID_INPUT' } })
  })

  it('may be a part of a sequence without a text', async () => {
    const { flow, send } = await loadReadAloud()
    send({ payload: '', parts: { id: 'a', index: 0 } })
    const [message] = await flow.waitFor('not-read', 1)
    expect(message).toMatchObject({ reading: { reason: 'no text' } })
  })
})

/** Announces a text as another node would. @returns when it was heard. */
async function announceOn(
  speaker: Speaker,
  text: string,
  priority: Priority = 'normal',
): Promise<void> {
  await sharedPlayback().announcer.announce(
    {
      id: text,
      text,
      priority,
      speakers: [speaker],
      findSpeakers: () => [speaker],
      makeSound: ({ format }) => soundOf(format, new Uint8Array(480)),
      addressOutput: { check() {}, send() {} },
    },
    { signal: new AbortController().signal, onStateChange() {}, onFailure() {} },
  )
}
