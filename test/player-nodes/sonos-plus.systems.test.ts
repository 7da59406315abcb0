import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectAnnounced,
  expectStopped,
  needsNode,
  type PlayerFlow,
  place,
  played,
  startPlayerFlow,
} from './player-flow.ts'
import { type SonosPlayer, startSonosPlayer } from './sonos-player.ts'

describe('the messages for sonos-plus', needsNode('node-red-contrib-sonos-plus'), () => {
  let pulse: Pulse
  let sonos: SonosPlayer
  let flow: PlayerFlow
  beforeAll(async () => {
    pulse = await startPulse()
    sonos = await startSonosPlayer(pulse.environment)
    flow = await startPlayerFlow('sonos-plus', [
      { id: 'sonos', type: 'sonos-config', name: 'Room', serialnum: '', ipaddress: sonos.host },
      {
        ...place,
        id: 'player',
        type: 'sonos-universal',
        confignode: 'sonos',
        command: 'message',
        state: '',
        stateType: 'str',
        avoidCheckPlayerAvailability: false,
        wires: [['played']],
      },
      played,
    ])
    await flow.untilStatus('player', /^ok:ready/)
  })
  afterAll(async () => {
    await flow?.close()
    await sonos?.close()
    await pulse?.stop()
  })

  it('play an announcement to its end, and then what was playing before, at the same volume', async () => {
    const before = sonos.address()
    await expectAnnounced(flow, pulse, 'player')
    expect(sonos.address()).toBe(before)
    expect(sonos.actions).toContain('Play')
    expect(sonos.actions).not.toContain('SetVolume')
  })

  it('stop an announcement, and play the next one', async () => {
    await expectStopped(flow, pulse)
    await expectAnnounced(flow, pulse, 'player')
  })
})
