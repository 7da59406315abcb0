import { writeWavHeader } from '@parlando/core/audio'
import { toneOfText } from '@parlando/test-support/local-service/speech-stand-in'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { piper } from './piper.ts'

const sampleRateHertz = 22_050
const tone = toneOfText('Good morning', sampleRateHertz)
const wav = Buffer.concat([writeWavHeader({ sampleRateHertz, dataBytes: tone.length }), tone])

const voices = {
  'de_DE-thorsten-medium': { language: { code: 'de_DE' }, num_speakers: 1, speaker_id_map: {} },
  'en_GB-vctk-medium': { espeak: { voice: 'en-gb-x-rp' }, speaker_id_map: { p239: 0, p236: 1 } },
  odd: { language: 7, speaker_id_map: [] },
}

/** The versions of the server: they differ in their paths. */
const versions = {
  '1.4': ['/voices', '/synthesize'],
  '1.3': ['/voices', '/'],
  oldest: ['/'],
} as const

async function open(version: keyof typeof versions) {
  const paths: readonly string[] = versions[version]
  const server = await startTestServer((response, { url = '', method }) => {
    if (!paths.includes(url)) return void response.writeHead(404).end('<h1>Not Found</h1>')
    if (method === 'GET') return void response.end(JSON.stringify(voices))
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(wav)
  })
  const warn = (problem: string) => {
    throw new Error(problem)
  }
  const engine = (await piper.start({ options: { piper: server.baseUrl }, warn }))!
  onTestFinished(() => engine.close())
  let samples = 0
  const speak = (voice: string) =>
    engine.speakPhrase({
      voice,
      text: 'Guten Tag',
      modelId: 'svc-tts-2',
      withWords: false,
      signal: new AbortController().signal,
      onSound: (sound) => {
        samples += sound.samples.length
      },
    })
  return { server, engine, speak, seconds: () => samples / engine.sampleRateHertz }
}

describe("Piper's HTTP server", () => {
  it('offers its voices, each speaker as a voice, with their languages', async () => {
    const { engine, server } = await open('1.4')
    const { host } = new URL(server.baseUrl)
    expect(engine.voices).toMatchObject([
      { name: 'piper-de_DE-thorsten-medium', langCode: 'DE_DE' },
      { name: 'piper-en_GB-vctk-medium-p239', langCode: 'EN_GB' },
      {
        name: 'piper-en_GB-vctk-medium-p236',
        voice: { displayName: `en_GB-vctk-medium, p236 (${host})` },
      },
      { name: 'piper-odd', langCode: 'AUTO' },
    ])
  })

  it.each(['1.4', '1.3'] as const)('speaks in version %s', async (version) => {
    const { server, speak, seconds } = await open(version)
    await speak('piper-en_GB-vctk-medium-p236')
    await speak('piper-de_DE-thorsten-medium')
    expect(server.requests.at(-2)!.body).toEqual({
      text: 'Guten Tag',
      voice: 'en_GB-vctk-medium',
      speaker_id: 1,
    })
    expect(server.requests.at(-1)!.body).toEqual({
      text: 'Guten Tag',
      voice: 'de_DE-thorsten-medium',
    })
    expect(server.requests.at(-1)!.url).toBe(versions[version][1])
    expect(seconds()).toBeCloseTo(3, 2)
  })

  it('receives only the text if it has no list of voices, because it would read JSON aloud', async () => {
    const { engine, server, speak, seconds } = await open('oldest')
    expect(engine.voices).toMatchObject([{ name: 'piper-default', langCode: 'AUTO' }])
    await speak('piper-default')
    expect(server.requests.at(-1)).toMatchObject({ url: '/', body: 'Guten Tag' })
    expect(seconds()).toBeCloseTo(1.5, 2)
  })

  it('gets the text spelled out for its English voices', async () => {
    const { engine } = await open('1.4')
    expect(engine.spellsOut!('piper-en_GB-vctk-medium-p239')).toBe(true)
    expect(engine.spellsOut!('piper-de_DE-thorsten-medium')).toBe(false)
    expect(engine.spellsOut!('piper-odd')).toBe(false)
  })

  it('does not speak with a voice that it has lost, because it would take another one', async () => {
    const { speak } = await open('1.4')
    await expect(speak('piper-gone')).rejects.toMatchObject({
      response: { code: 'NOT_FOUND' },
      message: expect.stringContaining('has no voice piper-gone'),
    })
  })

  it('is reported if it sent something else than a list', async () => {
    const server = await startTestServer((response) => void response.end('<html>'))
    const warnings: string[] = []
    const warn = (problem: string) => void warnings.push(problem)
    const engine = (await piper.start({ options: { piper: server.baseUrl }, warn }))!
    onTestFinished(() => engine.close())
    expect(warnings).toEqual([
      `The Piper server, ${server.baseUrl}, sent something else than a list of voices. Check --piper`,
    ])
    expect(engine.problem).toBe(warnings[0])
  })
})
