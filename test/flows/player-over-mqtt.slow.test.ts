import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { useSharedNodeRed } from '@parlando/test-support/node-red/shared-process'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startMosquitto } from '@parlando/test-support/programs/mosquitto'
import { afterAll, describe, expect, it, vi } from 'vitest'

const text = 'Dinner is ready in the kitchen.'
const place = { z: 'tab', x: 0, y: 0 }
const broker = await startMosquitto()
const mqtt = { ...place, broker: 'broker', qos: '1', datatype: 'utf8' }
const inject = { ...place, type: 'inject', repeat: '', crontab: '', once: false }
const debug = { ...place, type: 'debug', active: true, tosidebar: true }

/** The lower half is the player's: it receives an address from the broker, and reports the end to it. */
const flow = (address: string) => [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'room', type: 'parlando-speaker', kind: 'another-node', name: 'Room', address },
  { ...inject, id: 'say', props: [{ p: 'payload' }], payload: text, wires: [['announce']] },
  {
    ...place,
    id: 'announce',
    type: 'parlando-announce',
    speaker: 'room',
    voice: 'Clara',
    model: 'svc-tts-2',
    chime: false,
    outputs: 3,
    wires: [['said'], [], ['to player']],
  },
  { ...debug, id: 'said', complete: 'announcement', targetType: 'msg' },
  { ...mqtt, id: 'to player', type: 'mqtt out', topic: 'room/play' },
  { ...mqtt, id: 'from player', type: 'mqtt in', topic: 'room/played', wires: [['played']] },
  {
    ...place,
    id: 'played',
    type: 'change',
    rules: [{ t: 'set', p: 'played', pt: 'msg', to: 'true', tot: 'bool' }],
    wires: [['announce']],
  },
  { ...mqtt, id: 'receive', type: 'mqtt in', topic: 'room/play', wires: [['address']] },
  { ...debug, id: 'address', complete: 'payload', targetType: 'msg' },
  { ...inject, id: 'finish', props: [{ p: 'payload' }], payload: 'done', wires: [['report']] },
  { ...mqtt, id: 'report', type: 'mqtt out', topic: 'room/played' },
  {
    id: 'broker',
    type: 'mqtt-broker',
    broker: '127.0.0.1',
    port: String(broker?.port),
    autoConnect: true,
    protocolVersion: '4',
    keepalive: '60',
    cleansession: true,
  },
]

describe('a player that receives addresses from a real broker', needs('mosquitto'), () => {
  const nodeRed = useSharedNodeRed((baseUrl) => flow(baseUrl))
  afterAll(() => broker?.close())
  const debugText = (id: string) =>
    vi.waitFor(() => nodeRed.debugTexts(id)[0] ?? expect.fail(`nothing at ${id}`), 60_000)

  it('fetches an announcement, and decides when it was said', async () => {
    await vi.waitFor(() => expect(nodeRed.log()).toContain('Connected to broker'), 60_000)
    await nodeRed.inject('say')
    const response = await fetch(await debugText('address'))
    const audio = new Uint8Array(await response.arrayBuffer())
    expect(nodeRed.debugTexts('said')).toEqual([])
    await nodeRed.inject('finish')
    expect(JSON.parse(await debugText('said'))).toMatchObject({
      status: 'said',
      speakers: [{ confirmedBy: 'player' }],
    })
    // Not earlier: a recogniser on a busy machine needs more time than the sound lasts, after which it counts as said.
    await expectSpoken(audio, text)
  })
})
