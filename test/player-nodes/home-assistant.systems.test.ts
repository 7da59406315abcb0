import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import { type Mpd, startMpd } from '@parlando/test-support/players/programs/mpd'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type RealHomeAssistant,
  startHomeAssistant,
} from '../systems/home-assistant/run-home-assistant.ts'
import {
  expectAnnounced,
  expectStopped,
  type PlayerFlow,
  place,
  startPlayerFlow,
} from './player-flow.ts'

const entity = 'media_player.music_player_daemon'

describe("the messages for the action node of Home Assistant's package", () => {
  let pulse: Pulse
  let mpd: Mpd
  let homeAssistant: RealHomeAssistant
  let flow: PlayerFlow
  beforeAll(async () => {
    pulse = await startPulse()
    mpd = await startMpd({ environment: pulse.environment })
    homeAssistant = await startHomeAssistant(pulse.environment)
    await homeAssistant.add('mpd', { host: '127.0.0.1', port: mpd.port })
    const { address: host, token: access_token } = homeAssistant
    const credentials = { host, access_token }
    flow = await startPlayerFlow('home-assistant', [
      { id: 'home', type: 'server', version: 6, addon: false, ha_boolean: [], credentials },
      {
        ...place,
        id: 'player',
        type: 'api-call-service',
        version: 7,
        server: 'home',
        action: '',
        entityId: [entity],
        data: '',
        dataType: 'json',
        queue: 'none',
        // Set in the form of a new node. Then, it would ignore the message.
        blockInputOverrides: false,
        outputProperties: [],
        wires: [[]],
      },
    ])
    const { log } = flow.nodeRed
    await vi.waitFor(() => expect(log()).toContain('Connected to http'), { timeout: 60_000 })
  }, 1_800_000)
  afterAll(async () => {
    await flow?.close()
    await homeAssistant?.close()
    await mpd?.close()
    await pulse?.stop()
  })

  it('play an announcement to its end, which its length decides', () =>
    expectAnnounced(flow, pulse, 'duration'))

  it('stop an announcement, and play the next one', async () => {
    await expectStopped(flow, pulse)
    await expectAnnounced(flow, pulse, 'duration')
  })
})
