import { useNodeRed } from '@parlando/test-support/node-red/runtime'
import {
  type HomeAssistantStandIn,
  startStandIn,
} from '@parlando/test-support/players/stand-ins/home-assistant/home-assistant'
import { keys } from '@parlando/test-support/secrets/keys'
import { startSocketServer } from '@parlando/test-support/servers/socket-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const { load, postToAdmin } = useNodeRed()

let homeAssistant: HomeAssistantStandIn
beforeAll(async () => {
  homeAssistant = await startStandIn({ 'media_player.kitchen': 'plays' }, process.env)
})
afterAll(() => homeAssistant.close())

/** What the editor sends in place of a saved secret. */
const saved = '__PWRD__'
const listDevices = (homeAssistantAddress: string, homeAssistantToken: string) =>
  postToAdmin('/parlando/speaker-devices', {
    id: 'kitchen',
    speaker: { kind: 'home-assistant', homeAssistantAddress, homeAssistantToken },
  })
const deploy = () =>
  load(
    [
      {
        id: 'kitchen',
        type: 'parlando-speaker',
        kind: 'home-assistant',
        homeAssistantAddress: homeAssistant.address,
      },
    ],
    { kitchen: { homeAssistantToken: homeAssistant.token } },
  )
const devices = [
  {
    id: 'media_player.kitchen',
    name: 'kitchen',
    room: 'Kitchen',
    abilities: ['interrupts', 'volume'],
  },
]

describe('the devices of a speaker', () => {
  it('are listed with the token in the form, before the first deploy', async () => {
    await load([])
    const { body } = await listDevices(homeAssistant.address, homeAssistant.token)
    expect(body).toEqual({ devices })
  })

  it('are listed with the saved token, which no response contains', async () => {
    await deploy()
    const { body, text } = await listDevices(homeAssistant.address, saved)
    expect(body).toEqual({ devices })
    expect(text).not.toContain(homeAssistant.token)
  })

  it('are none for a kind without a list, or one that does not exist', async () => {
    await load([])
    for (const kind of ['machine', 'constructor', undefined]) {
      const { body } = await postToAdmin('/parlando/speaker-devices', { speaker: { kind } })
      expect(body).toEqual({ devices: [] })
    }
  })

  it('are not listed with a wrong token, as the response says', async () => {
    await load([])
    const { status, body } = await listDevices(homeAssistant.address, keys.wrong)
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: { code: 'SPEAKER_REFUSED' } })
  })
})

it.each(['speaker-devices', 'test-speaker'])(
  'a saved token is not sent to another address than its own: %s',
  async (path) => {
    await deploy()
    const other = await startSocketServer({})
    const speaker = {
      kind: 'home-assistant',
      homeAssistantAddress: other.baseUrl,
      homeAssistantToken: saved,
      homeAssistantEntity: 'media_player.kitchen',
    }
    const { body } = await postToAdmin(`/parlando/${path}`, { id: 'kitchen', speaker })
    const message = 'speaker.error.secret-for-other-address'
    expect(body).toEqual({ error: { code: 'INVALID_INPUT', message } })
    expect(other.handshakes()).toBe(0)
  },
)
