import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { serveSounds } from '@parlando/test-support/speakers/serve-sounds'
import { expect, it, onTestFinished, vi } from 'vitest'
import { soundOf } from '../../../sounds/sound.ts'
import { createDlnaDriver } from './dlna.ts'

const description =
  '<root><device><friendlyName>Kitchen</friendlyName><serviceList><service><serviceType>urn:schemas-upnp-org:service:AVTransport:1</serviceType><controlURL>/control</controlURL></service></serviceList></device></root>'

it('reads the description of a renderer once for an announcement', async () => {
  const { baseUrl, requests } = await startTestServer((response, { url }) => {
    if (url === '/description.xml') response.end(description)
    else response.writeHead(404).end()
  })
  const server = await serveSounds()
  const config = { renderer: `${baseUrl}/description.xml` }
  const driver = createDlnaDriver({ RED: speakerTexts.en, sounds: server.sounds, config })
  onTestFinished(() => driver.close().then(server.close))
  const signal = AbortSignal.timeout(10_000)
  const sound = soundOf({ audioEncoding: 'MP3', sampleRateHertz: 44_100 }, Buffer.alloc(400))
  const read = () => requests.filter(({ method }) => method === 'GET').length
  for (let announcement = 1; announcement <= 2; announcement++) {
    await driver.prepare(signal)
    // It is enough that the renderer gets the first action.
    const played = driver.play(sound, { signal, volume: 100, onFirstSound() {}, handOut() {} })
    await expect(played).rejects.toMatchObject({ code: 'SPEAKER_REFUSED' })
    expect(read()).toBe(announcement)
  }
})

it('a renderer that never shows that it plays was not heard', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const actions: string[] = []
  let soundUrl = ''
  const { baseUrl } = await startTestServer((response, { url, headers }, body) => {
    if (url === '/description.xml') return void response.end(description)
    const [, action = ''] = /#(\w+)"$/.exec(String(headers['soapaction'])) ?? []
    actions.push(action)
    soundUrl ||= /<CurrentURI>([^<]*)/.exec(Buffer.from(body).toString())?.[1] ?? ''
    const state = actions.includes('Play') ? 'TRANSITIONING' : 'STOPPED'
    const values = `<CurrentTransportState>${state}</CurrentTransportState>`
    response.end(`<Envelope><${action}Response>${values}</${action}Response></Envelope>`)
  })
  const server = await serveSounds()
  const config = { renderer: `${baseUrl}/description.xml` }
  const driver = createDlnaDriver({ RED: speakerTexts.en, sounds: server.sounds, config })
  onTestFinished(() => driver.close().then(server.close))
  const signal = AbortSignal.timeout(10_000)
  const sound = soundOf(await driver.prepare(signal), Buffer.alloc(400))
  const played = driver.play(sound, { signal, volume: 100, onFirstSound() {}, handOut() {} })
  const notHeard = expect(played).rejects.toThrow('does not respond')
  await expect.poll(() => actions.slice(-2)).toEqual(['Play', 'GetTransportInfo'])
  await (await fetch(soundUrl)).arrayBuffer()
  vi.advanceTimersByTime(60_000)
  await notHeard
})

it('a sound that is stopped before it begins does not interrupt the music of a renderer', async () => {
  const actions: string[] = []
  const stop = new AbortController()
  const { baseUrl } = await startTestServer((response, { url, headers }) => {
    if (url === '/description.xml') return void response.end(description)
    const [, action = ''] = /#(\w+)"$/.exec(String(headers['soapaction'])) ?? []
    actions.push(action)
    if (action === 'GetPositionInfo') stop.abort(new Error('stopped'))
    const values = '<CurrentTransportState>PLAYING</CurrentTransportState>'
    response.end(`<Envelope><${action}Response>${values}</${action}Response></Envelope>`)
  })
  const server = await serveSounds()
  const config = { renderer: `${baseUrl}/description.xml` }
  const driver = createDlnaDriver({ RED: speakerTexts.en, sounds: server.sounds, config })
  onTestFinished(() => driver.close().then(server.close))
  const sound = soundOf(await driver.prepare(AbortSignal.timeout(10_000)), Buffer.alloc(400))
  const options = { signal: stop.signal, volume: 100, onFirstSound() {}, handOut() {} }
  await expect(driver.play(sound, options)).rejects.toThrow('stopped')
  await driver.close()
  expect(actions).toEqual(['GetTransportInfo', 'GetMediaInfo', 'GetPositionInfo'])
})
