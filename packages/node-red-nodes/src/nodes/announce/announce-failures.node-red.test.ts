import {
  failToRead,
  lastStatus,
  spoken,
  textsOn,
  useAnnounce,
  withGetter,
} from '@parlando/test-support/node-red/flows/announce-flow'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { describe, expect, it, vi } from 'vitest'
import { sharedPlayback } from '../../announcements/playing-nodes/shared-playback.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'

const { loadAnnounce, unload } = useAnnounce()

/** The method of Node-RED behind `done`. */
interface Completing {
  _complete(message: object, failure?: object): void
}

describe('announce, when a message cannot be said', () => {
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
    const message = withGetter('priority', failToRead)
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

  it('reports one that is said again at a voice command, after its message has left', async () => {
    const { flow, announce, speaker } = await loadAnnounce()
    const announced = vi.spyOn(sharedPlayback().announcer, 'announce')
    announce({ payload: 'Dinner is ready.', mine: 1 })
    const [said] = await flow.waitFor('said', 1)
    said!.payload = 'Thank you.'
    const [, { onAgain }] = announced.mock.calls[0]!
    onAgain!(Date.now())
    await vi.waitFor(() =>
      expect(textsOn(speaker)).toEqual(['Dinner is ready.', 'Dinner is ready.']),
    )
    await vi.waitFor(() => expect(speaker.played[1]?.isWhole).toBe(true))
    speaker.failure = new SpeakerError('NO_PLAYER', 'The tablet is off.')
    onAgain!(Date.now())
    const [notSaid] = await flow.waitFor('notSaid', 1)
    expect(notSaid).toMatchObject({ mine: 1, announcement: { error: { code: 'NO_PLAYER' } } })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({ payload: 'Dinner is ready.', error: { code: 'NO_PLAYER' } })
    speaker.failure = undefined
    onAgain!(Date.now() + 600_000)
    await vi.waitFor(() => expect(lastStatus(flow)?.text).toContain('playback.postponed'))
    announce({ stop: true })
    const [, stopped] = await flow.waitFor('notSaid', 2)
    expect(stopped).toMatchObject({ mine: 1, announcement: { reason: 'stopped' } })
    expect(flow.received('said')).toHaveLength(1)
  })

  it.each([
    ['stop', 'stop'],
    ['acknowledge', 'acknowledge'],
    ['later', 'postpone'],
  ])('reports msg.%s that matches nothing', async (control, verb) => {
    const { flow, announce } = await loadAnnounce()
    announce({ [control]: true, topic: 'home/button' })
    await vi.waitFor(() => {
      expect(lastStatus(flow)).toMatchObject({ fill: 'yellow', shape: 'ring' })
    })
    expect(lastStatus(flow)?.text).toContain(`playback.nothing-to-${verb}`)
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

  it('ends each of many messages in a second exactly once', async () => {
    const count = isThoroughRun ? 10_000 : 1000
    const { flow, announce } = await loadAnnounce()
    for (let index = 0; index < count; index++) announce({ payload: 'News.', index })
    announce({ stop: true })
    await flow.waitFor('completed', count + 1)
    const ended = [...flow.received('said'), ...flow.received('notSaid')]
    expect(new Set(ended.map(({ index }) => index)).size).toBe(count)
    expect(ended).toHaveLength(count)
    expect(flow.received('caught')).toEqual([])
    expect(flow.statuses('announce').length).toBeLessThan(100)
  }, 90_000)
})
