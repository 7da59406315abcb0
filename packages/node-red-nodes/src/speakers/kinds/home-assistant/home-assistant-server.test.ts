import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { keys } from '@parlando/test-support/secrets/keys'
import { describe, expect, it } from 'vitest'
import { homeAssistantSpeaker } from './home-assistant.ts'
import { findServer } from './home-assistant-server.ts'

const token = keys.service
const find = (homeAssistantAddress: string, environment: NodeJS.ProcessEnv = {}, own = token) =>
  findServer(speakerTexts.en, { homeAssistantAddress, homeAssistantToken: own }, environment)

describe('Home Assistant is found', () => {
  it.each([
    ['http://homeassistant.local:8123', 'ws://homeassistant.local:8123/api/websocket'],
    ['http://homeassistant.local:8123/', 'ws://homeassistant.local:8123/api/websocket'],
    ['homeassistant.local:8123', 'ws://homeassistant.local:8123/api/websocket'],
    ['https://ha.example.com', 'wss://ha.example.com/api/websocket'],
    ['ha.example.com', 'wss://ha.example.com/api/websocket'],
  ])('at %s', (address, webSocketUrl) => {
    expect(find(address)).toMatchObject({ webSocketUrl, token })
  })

  it('through the supervisor in an add-on, with its token', () => {
    const environment = { SUPERVISOR_TOKEN: keys.upstream }
    expect(find('', environment, '')).toEqual({
      address: 'http://supervisor/core',
      webSocketUrl: 'ws://supervisor/core/websocket',
      token: keys.upstream,
    })
  })

  it('at a typed address in an add-on, without the token of the supervisor', () => {
    const environment = { SUPERVISOR_TOKEN: keys.upstream }
    expect(find('http://10.0.0.2:8123', environment)).toMatchObject({ token })
    expect(() => find('http://10.0.0.2:8123', environment, '')).toThrow('enter its address')
  })
})

it.each([
  'http://ha.example.com',
  'ftp://homeassistant.local',
  'http://me:secret@homeassistant.local',
  'http://homeassistant.local?token=1',
])('an address is rejected that would give the token away, or is none: %s', (address) => {
  expect(() => find(address)).toThrow('cannot be the address of Home Assistant')
  expect(() => find(address)).not.toThrow('secret')
})

it('an entity of another server is another device', () => {
  const devices = (homeAssistantAddress?: string) =>
    homeAssistantSpeaker.devices!({
      homeAssistantAddress,
      homeAssistantEntity: ' media_player.kitchen ',
    })
  expect(devices('http://homeassistant.local:8123/')).toEqual(devices('HomeAssistant.local:8123'))
  expect(devices('http://cabin:8123')).not.toEqual(devices('http://homeassistant.local:8123'))
  expect(devices()).toEqual(devices(''))
})
