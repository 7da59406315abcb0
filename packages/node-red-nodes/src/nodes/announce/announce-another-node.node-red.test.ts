import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import { audioLine, startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it } from 'vitest'
import { chimeOf } from '../../playback/chime.ts'
import { nodeCase } from './announce.test-case.ts'

const { load, baseUrl } = useNodeRed()

const sampleRateHertz = 44_100

const kitchen = {
  id: 'kitchen',
  type: 'parlando-speaker',
  name: 'Kitchen',
  kind: 'another-node',
  player: 'sonos-plus',
  maxVolume: '60',
  leadOut: '0',
}

/** A flow with an *announce* node whose service responds with this speech. */
async function loadFlow(speech: Buffer, settings: object) {
  const server = await startTestServer((response) => void response.end(audioLine(speech)))
  const flow = await load(
    [
      { id: 'service', type: 'parlando-service', location: 'hosted', baseUrl: server.baseUrl },
      kitchen,
      {
        ...nodeCase.settings,
        id: 'announce',
        type: 'parlando-announce',
        z: 'tab',
        service: 'service',
        chime: 'doorbell',
        ...settings,
      },
      ...['said', 'notSaid', 'player'].map((id) => ({ id, type: 'helper', z: 'tab' })),
      { id: 'catch', type: 'catch', z: 'tab', scope: ['announce'], wires: [['caught']] },
      { id: 'caught', type: 'helper', z: 'tab' },
    ],
    { service: { apiKey: 'key' } },
  )
  return { flow, server }
}

describe('announce on a speaker of another node', () => {
  it('hands out the address of chime and speech, and ends when msg.played comes back', async () => {
    const speech = await encodeMp3(tone({ seconds: 0.5, hertz: 500, sampleRateHertz }), {
      sampleRateHertz,
    })
    const { flow } = await loadFlow(speech, {
      speaker: 'kitchen',
      outputs: 3,
      wires: [['said'], ['notSaid'], ['player']],
    })
    flow.node('announce').receive({ payload: 'Dinner is ready.', mine: 1 })
    const [handedOut] = await flow.waitFor('player', 1)
    expect(handedOut).toMatchObject({
      payload: handedOut!['url'],
      url: expect.stringMatching(/\/parlando\/sounds\/[\w-]{22}\.mp3$/),
      topic: 'group.play.notification',
      duration: '00:00:03',
      mine: 1,
    })
    // This machine reaches the sound at its own address.
    const url = baseUrl() + new URL(String(handedOut!['url'])).pathname
    const response = await fetch(url)
    const chime = chimeOf({ audioEncoding: 'MP3', sampleRateHertz }, 'doorbell')!
    const body = Buffer.from(await response.arrayBuffer())
    expect(body.equals(Buffer.concat([chime, speech]))).toBe(true)
    expect(handedOut).not.toHaveProperty('volume')
    expect(flow.received('said')).toEqual([])

    flow.node('announce').receive({ ...handedOut!, played: true })
    const [said] = await flow.waitFor('said', 1)
    expect(said).toMatchObject({
      payload: 'Dinner is ready.',
      announcement: {
        status: 'said',
        speakers: [{ name: 'Kitchen', status: 'said', confirmedBy: 'player' }],
      },
    })
    expect((await fetch(url)).status).toBe(404)
    expect(flow.received('player')).toHaveLength(1)
  })

  it('is not stopped by the message that stopped an earlier one, when that comes back', async () => {
    const speech = await encodeMp3(tone({ seconds: 0.5, hertz: 500, sampleRateHertz }), {
      sampleRateHertz,
    })
    const { flow } = await loadFlow(speech, {
      speaker: 'kitchen',
      outputs: 3,
      wires: [['said'], ['notSaid'], ['player']],
    })
    flow.node('announce').receive({ payload: 'Coffee is ready.' })
    await flow.waitFor('player', 1)
    flow.node('announce').receive({ stop: true })
    await flow.waitFor('notSaid', 1)
    flow.node('announce').receive({ payload: 'Dinner is ready.' })
    const [, stopped, second] = await flow.waitFor('player', 3)
    expect(stopped).toMatchObject({ stop: true })
    flow.node('announce').receive({ ...stopped!, played: true })
    flow.node('announce').receive({ ...second!, played: true })
    expect(await flow.waitFor('said', 1)).toMatchObject([{ payload: 'Dinner is ready.' }])
    expect(flow.received('notSaid')).toHaveLength(1)
  })

  it.each([
    ['is missing', { outputs: 2, wires: [['said'], ['notSaid']] }, 'no-address-output'],
    ['is not wired', { outputs: 3, wires: [['said'], ['notSaid'], []] }, 'address-output-unwired'],
  ])('rejects the text at once if the output for the address %s', async (_title, output, key) => {
    const { flow, server } = await loadFlow(Buffer.alloc(0), output)
    flow.node('announce').receive({ payload: 'Dinner is ready.', speakers: 'Kitchen' })
    const [caught] = await flow.waitFor('caught', 1)
    expect(caught).toMatchObject({
      payload: 'Dinner is ready.',
      error: { code: 'INVALID_INPUT', message: expect.stringContaining(`error.${key}`) },
    })
    expect(server.requests).toEqual([])
  })
})
