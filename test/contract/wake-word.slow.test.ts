import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { speechServiceOf } from '@parlando/test-support/node-red/speech-service-of'
import { expect, it, onTestFinished, vi } from 'vitest'
import { bytesPerSecond } from '../../packages/node-red-nodes/src/microphones/microphone-recording.ts'
import { serveMicrophonePages } from '../../packages/node-red-nodes/src/microphones/page/page-routes.ts'
import { createWakeWordListener } from '../../packages/node-red-nodes/src/microphones/wake-word/wake-word-listener.ts'

const packetBytes = 640

it(
  'a page waits for a spoken wake word, and only what follows is recorded',
  needsRecogniser(),
  async () => {
    const service = await startLocalService({ port: 0, warmUp: false })
    onTestFinished(() => service.close())
    const client = createClient({ baseUrl: service.baseUrl })
    onTestFinished(() => client.close())
    const http = await startFakeHttpRed()
    onTestFinished(() => http.close())
    const recorded: Buffer[] = []
    const page = serveMicrophonePages(http.RED).open('kitchen', {
      settings: { mode: 'wake-word', speaker: '' },
      onRecording: () => ({ push: (pcm) => recorded.push(pcm), end() {} }),
      onChange() {},
      onWait: (reports) =>
        createWakeWordListener({
          ...reports,
          service: speechServiceOf(client),
          config: { phrases: ['hey computer'] },
        }),
    })!
    onTestFinished(() => page.close())
    const microphone = await openMicrophone(http.baseUrl, 'kitchen')
    microphone.send({ type: 'wait' })
    await vi.waitFor(
      () => {
        const waiting = { type: 'waiting', phrases: ['hey computer'] }
        expect(microphone.messages).toContainEqual(waiting)
      },
      { timeout: 30_000 },
    )
    const before = await spokenSound('The train to the coast leaves at noon.')
    const word = await spokenSound('hey computer')
    const isAwake = () => microphone.messages.some(({ type }) => type === 'awake')
    const spoken = Buffer.concat([before, word].map(({ buffer }) => Buffer.from(buffer)))
    const send = async (pcm: Buffer) => {
      for (let at = 0; at < pcm.length; at += packetBytes) {
        microphone.socket.send(pcm.subarray(at, at + packetBytes))
        await delay((1000 * packetBytes) / bytesPerSecond)
      }
    }
    // Without the silence at the end, in which the word is found.
    await send(spoken.subarray(0, -bytesPerSecond / 2))
    expect(isAwake()).toBe(false)
    expect(recorded).toEqual([])
    while (!isAwake()) await send(Buffer.alloc(packetBytes))
    const command = Buffer.alloc(packetBytes, 7)
    await send(command)
    await vi.waitFor(() => expect(Buffer.concat(recorded).includes(command)).toBe(true))
    // Nothing from before the word, and hardly anything of its end. A busy machine finds the word late, in more silence.
    const heard = Buffer.concat(recorded).filter((byte) => byte !== 0)
    expect(heard.length / bytesPerSecond).toBeLessThan(2)
    expect(Buffer.concat(recorded).indexOf(Buffer.from(word.buffer.slice(20_000, 21_000)))).toBe(-1)
  },
)
