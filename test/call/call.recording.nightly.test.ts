import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeWavHeader } from '@parlando/core/audio'
import type { RealtimeServerEvent } from '@parlando/core/wire'
import { type LocalService, startLocalService } from '@parlando/local-service'
import { countWordsInOrder, wordsOf } from '@parlando/test-support/audio/compare-words'
import { speak } from '@parlando/test-support/audio/speak'
import { findProgram, needs } from '@parlando/test-support/programs/installed-programs'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const executablePath = findProgram('chromium')
const needsBoth = needs('chromium', 'pocketsphinx_batch', '/usr/share/pocketsphinx/model/en-us')
const repository = fileURLToPath(new URL('../..', import.meta.url))
const limit = { timeout: 90_000 }

const said = 'Please turn on the light in the kitchen.'
const rate = 16_000
const silence = (seconds: number) => Buffer.alloc(2 * rate * seconds)

/** How many sessions the service has. */
async function openSessions({ baseUrl }: LocalService): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(/^parlando_realtime_sessions (\d+)/m.exec(metrics)?.[1])
}

/** Records what the page plays: seconds of sound, by whether it is loud. */
const listener = `
const original = RTCPeerConnection.prototype.setRemoteDescription
window.heard = { loudSeconds: 0 }
RTCPeerConnection.prototype.setRemoteDescription = async function (answer) {
  await original.call(this, answer)
  window.call = this
  const context = new AudioContext()
  const [receiver] = this.getReceivers()
  const source = context.createMediaStreamSource(new MediaStream([receiver.track]))
  const meter = context.createScriptProcessor(1024, 1, 1)
  meter.onaudioprocess = ({ inputBuffer }) => {
    const samples = inputBuffer.getChannelData(0)
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
    if (power > 0.0004) window.heard.loudSeconds += inputBuffer.duration
  }
  source.connect(meter).connect(context.destination)
}`

describe('the page of docs/protocol/realtime.md', needsBoth, () => {
  let folder: string
  let service: LocalService
  let browser: Browser
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlando-call-'))
    // The recording repeats, for a page that connects late.
    const pcm = Buffer.concat([silence(2), await speak(said), silence(10)])
    const header = writeWavHeader({ sampleRateHertz: rate, dataBytes: pcm.length })
    const file = join(folder, 'speech.wav')
    await writeFile(file, Buffer.concat([header, pcm]))
    service = await startLocalService({ enginesFolder: repository, allowOrigins: ['*'] })
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--mute-audio',
        '--autoplay-policy=no-user-gesture-required',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${file}`,
      ],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Opens the page. @returns it and the events that it prints. */
  const openPage = async (): Promise<{ page: Page; events: RealtimeServerEvent[] }> => {
    const guide = await readFile(join(repository, 'docs/protocol/realtime.md'), 'utf8')
    const [, html = ''] = /^```html\n([\s\S]*?)^```/m.exec(guide) ?? []
    const { baseUrl } = await startTestServer((response) => {
      response.setHeader('content-type', 'text/html')
      response.end(html.replaceAll('http://127.0.0.1:8080', service.baseUrl))
    })
    const context = await browser.newContext({ permissions: ['microphone'] })
    // Otherwise, another try would find the session of the first.
    onTestFinished(() => context.close())
    await context.addInitScript(listener)
    const page = await context.newPage()
    const events: RealtimeServerEvent[] = []
    // The browser itself prints warnings.
    page.on('console', async (message) => {
      if (message.type() === 'log') events.push(await message.args()[0]!.jsonValue())
    })
    await page.goto(baseUrl)
    return { page, events }
  }

  it('talks to the service, plays its response, and hangs up', async () => {
    const { page, events } = await openPage()
    await page.click('#talk')
    const find = <Type extends RealtimeServerEvent['type']>(type: Type) =>
      events.filter((event) => event.type === type) as Extract<
        RealtimeServerEvent,
        { type: Type }
      >[]
    const ofInput = 'conversation.item.input_audio_transcription.completed'
    const transcripts = () => find(ofInput).map(({ transcript }) => transcript)
    const isUnderstood = (text: string) => {
      const words = wordsOf(said)
      return countWordsInOrder(words, wordsOf(text)) >= words.length / 2
    }
    await expect.poll(transcripts, limit).toSatisfy((all: string[]) => all.some(isUnderstood))
    await expect.poll(() => find('output_audio_buffer.stopped').length, limit).toBeGreaterThan(0)
    // The microphone repeats its recording, so a busy service responds to several turns, and the repetition interrupts responses.
    const responses = () => find('response.output_audio_transcript.done')
    const repeatsWhatWasSaid = ({ transcript }: { transcript: string }) =>
      transcripts().some((text) => text !== '' && transcript.includes(text))
    await expect
      .poll(responses, limit)
      .toSatisfy((all: ReturnType<typeof responses>) => all.some(repeatsWhatWasSaid))
    const spoken = responses().find(repeatsWhatWasSaid)!
    const loudSeconds = () => page.evaluate('heard.loudSeconds') as Promise<number>
    await expect.poll(loudSeconds, limit).toBeGreaterThan(wordsOf(spoken.transcript).length * 0.1)
    // The session of an earlier try ends a little after its page.
    await expect.poll(() => openSessions(service), limit).toBe(1)
    await page.evaluate('call.close()')
    await expect.poll(() => openSessions(service), limit).toBe(0)
    await page.context().close()
  })
})
