import { type Pulse, startPulse } from '@parlando/test-support/audio/pulse'
import {
  type CastStandIn,
  startCastDevice,
} from '@parlando/test-support/players/stand-ins/cast/cast'
import { afterAll, beforeAll, describe, it } from 'vitest'
import {
  expectAnnounced,
  expectStopped,
  needsNode,
  type PlayerFlow,
  place,
  played,
  startPlayerFlow,
} from './player-flow.ts'

describe('the messages for castv2', needsNode('node-red-contrib-castv2'), () => {
  let pulse: Pulse
  let device: CastStandIn
  let flow: PlayerFlow
  beforeAll(async () => {
    pulse = await startPulse()
    device = await startCastDevice(pulse.environment)
    const port = String(device.port)
    flow = await startPlayerFlow('castv2', [
      { id: 'connection', type: 'castv2-connection', target: '', host: '127.0.0.1', port },
      {
        ...place,
        id: 'player',
        type: 'castv2-sender',
        connection: 'connection',
        wires: [['finished']],
      },
      {
        ...place,
        id: 'finished',
        type: 'switch',
        property: 'payload.idleReason',
        propertyType: 'msg',
        rules: [{ t: 'eq', v: 'FINISHED', vt: 'str' }],
        outputs: 1,
        wires: [['played']],
      },
      played,
    ])
    await flow.untilStatus('player', /^connected$/)
  })
  afterAll(async () => {
    await flow?.close()
    await device?.close()
    await pulse?.stop()
  })

  it('play an announcement to its end, which the device reports', () =>
    expectAnnounced(flow, pulse, 'player'))

  it('stop an announcement, and play the next one', async () => {
    await expectStopped(flow, pulse)
    await expectAnnounced(flow, pulse, 'player')
  })
})
