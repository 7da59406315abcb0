import {
  lastStatus,
  spoken,
  textsOn,
  useAnnounce,
} from '@parlando/test-support/node-red/flows/announce-flow'
import { describe, expect, it, vi } from 'vitest'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { chimeOf } from '../../playback/chime.ts'

const { loadAnnounce } = useAnnounce()

describe('announce', () => {
  it('has its words for a speaker that shows them, if the voice times them', async () => {
    const { flow, server, speaker, announce } = await loadAnnounce(
      {},
      (response, _request, bytes) => {
        const { voiceId, timestampType } = JSON.parse(Buffer.from(bytes).toString())
        if (voiceId === 'untimed' && timestampType) {
          return void response.writeHead(501).end('{"code":12,"message":"no times of words"}')
        }
        if (voiceId === 'unmarked') {
          response.setHeader('x-parlando-warnings', '[{"code":"no-word-times","message":"None"}]')
        }
        response.end(spoken)
      },
    )
    speaker.driver.showsWords = true
    announce({ payload: 'Dinner is ready.', voiceId: 'timed' })
    await flow.waitFor('said', 1)
    announce({ payload: 'Dinner is over.', voiceId: 'untimed' })
    await flow.waitFor('said', 2)
    announce({ payload: 'Dinner was good.', voiceId: 'unmarked' })
    const messages = await flow.waitFor('said', 3)
    expect(messages.at(-1)).not.toHaveProperty('warning')
    const types = server.requests.map(
      ({ body }) => (body as { timestampType?: string }).timestampType,
    )
    expect(types).toEqual(['WORD', 'WORD', undefined, 'WORD'])
  })

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

  it('says a text anew if the message says so', async () => {
    const { flow, announce, server } = await loadAnnounce()
    for (const keep of [undefined, false, undefined]) announce({ payload: 'One.', keep })
    await flow.waitFor('said', 3)
    expect(server.requests).toHaveLength(2)
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

  it('sends the address once more when a voice command says so', async () => {
    const { flow, announce, speaker } = await loadAnnounce({ outputs: 3 })
    const announced = vi.spyOn(sharedPlayback().announcer, 'announce')
    const { play } = speaker.driver
    speaker.driver.play = (sound, options) => {
      options.handOut({ payload: 'http://192.168.1.5:1880/sound.mp3' })
      return play(sound, options)
    }
    announce({ payload: 'Dinner is ready.', room: 'kitchen' })
    await flow.waitFor('said', 1)
    const [, { onAgain }] = announced.mock.calls[0]!
    onAgain!(Date.now())
    const [, again] = await flow.waitFor('handedOut', 2)
    expect(again).toMatchObject({ room: 'kitchen' })
  })

  it('stops everything on a message with the topic of a button', async () => {
    const { flow, announce } = await loadAnnounce()
    announce({ payload: 'Plays.', topic: 'door' })
    announce({ payload: '1', stop: true, topic: 'home/button' })
    const [stopped] = await flow.waitFor('notSaid', 1)
    expect(stopped).toMatchObject({ payload: 'Plays.', announcement: { reason: 'stopped' } })
  })
})
