import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createFakeSpeaker,
  type FakeSpeaker,
  provideFakeSpeaker,
} from '@parlando/test-support/node-red/fake-speaker'
import { type LoadedFlow, useNodeRed } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/test-server'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { chimeOf } from '../../announcements/chime.ts'
import type { SpeechService } from '../../runtime/find-service.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'
import { nodeCase } from './announce.test-case.ts'

const userFolder = mkdtempSync(join(tmpdir(), 'parlando-announce-'))
afterAll(() => rmSync(userFolder, { recursive: true }))
let speaker: FakeSpeaker
const { load, unload } = useNodeRed({
  userDir: userFolder,
  afterNodes: () => provideFakeSpeaker(speaker),
})

/** Half a second of speech. */
const spoken = audioLine(Buffer.alloc(24_000, 1))

/** A flow with an announce node, a service that makes speech, and a speaker. */
async function loadAnnounce(
  settings: object = {},
  respond: Parameters<typeof startTestServer>[0] = (response) => void response.end(spoken),
) {
  const server = await startTestServer(respond)
  speaker = createFakeSpeaker('kitchen')
  const place = { z: 'tab' }
  const flow = await load(
    [
      { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl: server.baseUrl },
      {
        ...place,
        id: 'announce',
        type: 'parlando-announce',
        service: 'service',
        ...nodeCase.settings,
        ...settings,
        wires: [['said'], ['notSaid'], ['handedOut']],
      },
      ...['said', 'notSaid', 'handedOut', 'caught', 'completed'].map((id) => ({
        ...place,
        id,
        type: 'helper',
      })),
      { ...place, id: 'catch', type: 'catch', scope: ['announce'], wires: [['caught']] },
      { ...place, id: 'complete', type: 'complete', scope: ['announce'], wires: [['completed']] },
    ],
    { service: { apiKey: 'key' } },
  )
  const announce = (message: object) => flow.node('announce').receive({ ...message })
  return { flow, server, speaker, announce }
}

/** The method of Node-RED behind `done`. */
interface Completing {
  _complete(message: object, failure?: object): void
}

/** A message with a property that has only a getter. */
const withGetter = (property: string, get: () => unknown) =>
  Object.defineProperty({ payload: 'Hello.' }, property, { enumerable: true, get })
const fail = () => {
  throw new Error('cannot be read')
}

const textsOn = ({ played }: FakeSpeaker) => played.map(({ text }) => text)
const lastStatus = (flow: LoadedFlow) => flow.statuses('announce').at(-1)

describe('announce', () => {
  it('warns of a text that is not spoken as it is written, also when it is said again', async () => {
    const warning = { code: 'skipped-characters', message: 'It skips one', characters: '?' }
    const { flow, announce, server } = await loadAnnounce({}, (response) => {
      response.setHeader('x-parlando-warnings', JSON.stringify([warning]))
      response.end(spoken)
    })
    for (const count of [1, 2]) {
      announce({ payload: 'The cat is here.', warning: 'of an earlier node' })
      const messages = await flow.waitFor('said', count)
      expect(messages.at(-1)!['warning']).toMatch('speech-warning.skipped')
    }
    expect(server.requests).toHaveLength(1)
    await vi.waitFor(() =>
      expect(lastStatus(flow)).toMatchObject({
        fill: 'yellow',
        text: expect.stringContaining('status.not-as-written'),
      }),
    )
  })

  it('sends the same message at the first output when the text was heard', async () => {
    const { flow, announce, speaker } = await loadAnnounce()
    announce({ payload: 'Dinner is ready.', topic: 'dinner', mine: 1 })
    const [message] = await flow.waitFor('said', 1)
    expect(message).toMatchObject({
      payload: 'Dinner is ready.',
      mine: 1,
      announcement: {
        status: 'said',
        priority: 'normal',
        topic: 'dinner',
        durationSeconds: 0.5,
        speakers: [{ name: 'kitchen', status: 'said', confirmedBy: 'player' }],
      },
    })
    await flow.waitFor('completed', 1)
    await vi.waitFor(() => expect(lastStatus(flow)).toMatchObject({ fill: 'green', shape: 'dot' }))
    expect(textsOn(speaker)).toEqual(['Dinner is ready.'])
    expect(flow.received('notSaid')).toEqual([])
  })

  it('sends the message at the second output if the text is not said', async () => {
    const { flow, announce } = await loadAnnounce()
    for (const _message of ['once', 'twice']) announce({ payload: 'The door.', topic: 'door' })
    const [message] = await flow.waitFor('notSaid', 1)
    expect(message).toMatchObject({
      payload: 'The door.',
      announcement: { status: 'not said', reason: 'repeated', speakers: [] },
    })
    await flow.waitFor('completed', 2)
    expect(flow.received('said')).toHaveLength(1)
  })

  it('plays the chime before the speech exists', async () => {
    let respond = () => {}
    const { announce, flow, server, speaker } = await loadAnnounce(
      { chime: 'doorbell' },
      (response) => {
        respond = () => void response.end(spoken)
      },
    )
    announce({ payload: 'Dinner is ready.' })
    await vi.waitFor(() => expect(speaker.played[0]?.audio.length).toBe(0.8 * 48_000))
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toMatch(/playing/))
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    respond()
    await flow.waitFor('said', 1)
    expect(speaker.played[0]?.audio.length).toBe(1.3 * 48_000)
  })

  it.each([
    ['the form', { chime: 'rising' }, {}, 'rising'],
    ['the message', { chime: 'rising' }, { chime: 'gong' }, 'gong'],
    ['the form for msg.chime = true', { chime: 'gong' }, { chime: true }, 'gong'],
    ['nobody, in an older flow', { chime: true }, {}, 'doorbell'],
  ] as const)('plays the chime that %s names', async (_title, settings, message, name) => {
    const { announce, flow, speaker } = await loadAnnounce(settings)
    announce({ payload: 'Dinner is ready.', ...message })
    await flow.waitFor('said', 1)
    const chime = Buffer.from(chimeOf({ audioEncoding: 'PCM', sampleRateHertz: 24_000 }, name)!)
    expect(speaker.played[0]!.audio.subarray(0, chime.length).equals(chime)).toBe(true)
  })

  it.each([
    [{ chime: 'gong' }, { chime: false }],
    [{ chime: 'none' }, {}],
    [{ chime: false }, {}],
  ])('plays no chime for the settings %j and the message %j', async (settings, message) => {
    const { announce, flow, speaker } = await loadAnnounce(settings)
    announce({ payload: 'Dinner is ready.', ...message })
    await flow.waitFor('said', 1)
    expect(speaker.played[0]!.audio.length).toBe(0.5 * 48_000)
  })

  it('says a sentence that was said before without the service', async () => {
    const { flow, announce, server, speaker } = await loadAnnounce()
    for (const payload of ['One.', 'Two.', 'One.']) announce({ payload })
    await flow.waitFor('said', 3)
    announce({ payload: 'One.', voiceId: 'Ralph' })
    await flow.waitFor('said', 4)
    expect(server.requests).toHaveLength(3)
    expect(speaker.played.every(({ audio }) => audio.length === 24_000)).toBe(true)
  })

  it('uses the service as long as it makes speech, so that the service is not stopped', async () => {
    const { flow, announce, speaker } = await loadAnnounce()
    const use = vi.spyOn(flow.node('service') as unknown as SpeechService, 'use')
    announce({ payload: 'Good morning.' })
    await vi.waitFor(() => expect(speaker.played[0]?.isWhole).toBe(true))
    expect(use).toHaveBeenCalledOnce()
    await use.mock.results[0]!.value
  })

  it('requests the format of the speaker, even if the message names another one', async () => {
    const { flow, announce, server } = await loadAnnounce({ speakingRate: '0.9' })
    announce({ payload: 'One.', audioConfig: { audioEncoding: 'MP3', sampleRateHertz: 48_000 } })
    await flow.waitFor('said', 1)
    expect(server.requests[0]!.body).toMatchObject({
      audioConfig: { audioEncoding: 'PCM', sampleRateHertz: 24_000, speakingRate: 0.9 },
    })
  })

  it('stops the announcements of a topic only, and then all', async () => {
    const { flow, announce } = await loadAnnounce()
    announce({ payload: 'Plays.' })
    announce({ payload: 'The door.', topic: 'door' })
    announce({ payload: 'The post.', topic: 'post' })
    announce({ stop: true, topic: 'door' })
    const [stopped] = await flow.waitFor('notSaid', 1)
    expect(stopped).toMatchObject({ topic: 'door', announcement: { reason: 'stopped' } })
    announce({ stop: true })
    await flow.waitFor('notSaid', 3)
    await flow.waitFor('completed', 5)
    expect(flow.received('said')).toEqual([])
  })

  it('sends the address of the sound at the third output, to the nodes that play it', async () => {
    const { flow, announce, speaker } = await loadAnnounce({ outputs: 3 })
    const { play } = speaker.driver
    speaker.driver.play = (sound, options) => {
      options.handOut({ payload: 'http://192.168.1.5:1880/sound.mp3' })
      return play(sound, options)
    }
    announce({ payload: 'Dinner is ready.', room: 'kitchen' })
    await flow.waitFor('said', 1)
    const handedOut = { payload: 'http://192.168.1.5:1880/sound.mp3', room: 'kitchen' }
    expect(flow.received('handedOut')).toEqual([expect.objectContaining(handedOut)])
  })

  it('passes a service that ends in the middle to Catch', async () => {
    const { flow, announce } = await loadAnnounce({}, (response) => {
      response.write(spoken)
      response.socket?.end()
    })
    announce({ payload: 'Half of it.' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ error: { code: 'CONNECTION_LOST' } })
    expect(flow.received('said')).toEqual([])
  })

  it('sends a message that fails at the second output, too', async () => {
    const { flow, announce, speaker } = await loadAnnounce({ priority: 'urgent' })
    speaker.failure = new SpeakerError('NO_PLAYER', 'No player is open.')
    announce({ payload: 'The door.', topic: 'door', mine: 1 })
    const [notSaid] = await flow.waitFor('notSaid', 1)
    expect(notSaid).toMatchObject({
      payload: 'The door.',
      mine: 1,
      announcement: {
        status: 'not said',
        reason: 'failed',
        error: { code: 'NO_PLAYER', message: 'No player is open.' },
        priority: 'urgent',
        topic: 'door',
        times: 0,
        speakers: [],
      },
    })
    await flow.waitFor('caught', 1)
    expect(flow.received('completed')).toEqual([])
  })

  it('ends a message that cannot be read once, with a failure, and says the next one', async () => {
    const { flow, announce } = await loadAnnounce()
    const message = withGetter('priority', fail)
    const complete = vi.spyOn(flow.node('announce') as unknown as Completing, '_complete')
    flow.node('announce').receive(message)
    announce({ payload: 'Dinner is ready.' })
    await flow.waitFor('said', 1)
    const ends = complete.mock.calls.filter(([about]) => about === message)
    expect(ends.map(([, failure]) => String(failure))).toEqual(['cannot be read'])
    expect(flow.received('notSaid')).toEqual([])
  })

  it('closes while it says a message that it cannot change', async () => {
    const { flow, speaker } = await loadAnnounce()
    flow.node('announce').receive(withGetter('announcement', () => 'of the flow'))
    await vi.waitFor(() => expect(speaker.played).toHaveLength(1))
    await unload()
  })

  it.each(['stop', 'acknowledge'])('reports msg.%s that matches nothing', async (control) => {
    const { flow, announce } = await loadAnnounce()
    announce({ [control]: true, topic: 'home/button' })
    await vi.waitFor(() => {
      expect(lastStatus(flow)).toMatchObject({ fill: 'yellow', shape: 'ring' })
    })
    expect(lastStatus(flow)?.text).toContain(`playback.nothing-to-${control}`)
  })

  it('stops everything on a message with the topic of a button', async () => {
    const { flow, announce } = await loadAnnounce()
    announce({ payload: 'Plays.', topic: 'door' })
    announce({ payload: '1', stop: true, topic: 'home/button' })
    const [stopped] = await flow.waitFor('notSaid', 1)
    expect(stopped).toMatchObject({ payload: 'Plays.', announcement: { reason: 'stopped' } })
  })

  it.each([
    [{ priority: 'very high' }, /not-priority/],
    [{ volume: 101 }, /not-volume/],
    [{ expiresIn: 'soon' }, /not-number/],
    [{ chime: 'ding' }, /not-chime/],
    [{ speakers: [1] }, /not-speakers/],
    [{ repeat: 'often' }, /not-repeat/],
    [{ repeat: { times: 0 } }, /not-number/],
    [{ payload: {} }, /not-text/],
  ])('rejects %j', async (message, expected) => {
    const { flow, announce } = await loadAnnounce()
    announce({ payload: 'Hello', ...message })
    const [caught] = await flow.waitFor('caught', 1)
    const { error } = caught as { error: { code: string; message: string } }
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringMatching(expected) })
  })

  it('ends each of 10,000 messages in a second exactly once', async () => {
    const { flow, announce } = await loadAnnounce()
    for (let index = 0; index < 10_000; index++) announce({ payload: 'News.', index })
    announce({ stop: true })
    await flow.waitFor('completed', 10_001)
    const ended = [...flow.received('said'), ...flow.received('notSaid')]
    expect(new Set(ended.map(({ index }) => index)).size).toBe(10_000)
    expect(ended).toHaveLength(10_000)
    expect(flow.received('caught')).toEqual([])
    expect(flow.statuses('announce').length).toBeLessThan(100)
  }, 90_000)
})

describe('an alarm that repeats until somebody acknowledges it', () => {
  const file = join(userFolder, 'parlando/alarms.json')
  const settings = { priority: 'alarm', untilAcknowledged: true, everySeconds: 1 }

  it('continues after a restart, until it is acknowledged', async () => {
    const before = await loadAnnounce(settings)
    before.announce({ payload: 'Fire!', topic: 'fire', floor: 2 })
    await vi.waitFor(() => expect(before.speaker.played[0]?.isWhole).toBe(true))
    await unload()
    expect(before.flow.received('notSaid')).toEqual([])

    const after = await loadAnnounce(settings)
    await vi.waitFor(() => expect(textsOn(after.speaker)).toContain('Fire!'))
    after.announce({ acknowledge: true, topic: 'fire' })
    const [message] = await after.flow.waitFor('said', 1)
    expect(message).toMatchObject({ floor: 2, announcement: { acknowledged: true } })
    await vi.waitFor(() => expect(lastStatus(after.flow)?.text).toContain('playback.acknowledged'))
    const { _msgid } = message as { _msgid: string }
    after.announce({ _msgid, payload: 'It is out.', priority: 'normal', repeat: false })
    await vi.waitFor(() => expect(textsOn(after.speaker)).toContain('It is out.'))
    await unload()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
  })

  it('is forgotten when the settings of its node have changed', async () => {
    const before = await loadAnnounce(settings)
    before.announce({ payload: 'Fire!' })
    await vi.waitFor(() => expect(before.speaker.played).toHaveLength(1))
    await unload()
    const after = await loadAnnounce({ ...settings, untilAcknowledged: false })
    await after.flow.waitFor('said', 1)
    await unload()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
  })

  it.each(['info', 'normal', 'urgent', 'alarm'])(
    'is kept with the priority %s',
    async (priority) => {
      const before = await loadAnnounce({ ...settings, priority })
      before.announce({ payload: 'The washing is done.', topic: 'washing' })
      await vi.waitFor(() => expect(before.speaker.played).toHaveLength(1))
      await unload()
      const after = await loadAnnounce({ ...settings, priority })
      await vi.waitFor(() => expect(textsOn(after.speaker)).toContain('The washing is done.'))
      expect(after.flow.received('notSaid')).toEqual([])
      after.announce({ acknowledge: true })
      await after.flow.waitFor('said', 1)
    },
  )

  it('is the only announcement that is kept: not one with a number of times', async () => {
    rmSync(file, { force: true })
    const { announce, speaker } = await loadAnnounce({
      ...settings,
      untilAcknowledged: false,
      times: 2,
    })
    announce({ payload: 'Fire!' })
    await vi.waitFor(() => expect(speaker.played).toHaveLength(1))
    await unload()
    expect(existsSync(file)).toBe(false)
  })

  it('is acknowledged by a button, whose topic is its own, but not by the topic of another alarm', async () => {
    const { flow, announce, speaker } = await loadAnnounce(settings)
    announce({ payload: 'Water!', topic: 'water' })
    await vi.waitFor(() => expect(speaker.played[0]?.isWhole).toBe(true))
    announce({ payload: 'pressed', topic: 'home/button', acknowledge: true })
    await flow.waitFor('said', 1)

    announce({ payload: 'Fire!', topic: 'fire' })
    await vi.waitFor(() => expect(textsOn(speaker)).toContain('Fire!'))
    announce({ acknowledge: true, topic: 'water' })
    announce({ acknowledge: true, topic: 'fire' })
    const [, fire] = await flow.waitFor('said', 2)
    expect(fire).toMatchObject({ payload: 'Fire!', announcement: { acknowledged: true } })
  })

  it('is tried again when it fails, and reported to Catch once', async () => {
    const { flow, announce, speaker } = await loadAnnounce(settings)
    speaker.failure = new SpeakerError('NO_PLAYER', 'The tablet is off.')
    announce({ payload: 'Fire!' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ payload: 'Fire!', error: { code: 'NO_PLAYER' } })
    await vi.waitFor(() => expect(lastStatus(flow)).toMatchObject({ fill: 'red' }))
    speaker.failure = undefined
    await vi.waitFor(() => expect(speaker.played[0]?.isWhole).toBe(true))
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toContain('playback.repeats'))
    announce({ acknowledge: true })
    await flow.waitFor('said', 1)
    expect(flow.received('caught')).toHaveLength(1)
    expect(flow.received('notSaid')).toEqual([])
  })

  it('is tried again when it fails, although its message cannot be copied for Catch', async () => {
    const { flow, speaker } = await loadAnnounce(settings)
    speaker.failure = new SpeakerError('NO_PLAYER', 'The tablet is off.')
    flow.node('announce').receive(withGetter('other', fail))
    await vi.waitFor(() => expect(lastStatus(flow)).toMatchObject({ fill: 'red' }))
    speaker.failure = undefined
    await vi.waitFor(() => expect(speaker.played[0]?.isWhole).toBe(true))
    flow.node('announce').receive({ acknowledge: true })
  })
})
