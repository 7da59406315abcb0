import { createClient } from '@parlando/core'
import { useTestTranscription } from '@parlando/test-support/local-service/clients/transcription-stream'
import {
  createFakeWakeWordDetector,
  fakeWakeWord,
} from '@parlando/test-support/local-service/fake-wake-word-detector'
import { speechServiceOf } from '@parlando/test-support/node-red/speech-service-of'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createWakeWordListener } from '../../packages/node-red-nodes/src/microphones/wake-word/wake-word-listener.ts'

const local = useTestTranscription()

it('lets one microphone respond to a wake word, also if another program has the other one', async () => {
  const detector = createFakeWakeWordDetector()
  const { baseUrl } = await local.open({ wakeWords: new Map([['fake', detector]]) })
  const [kitchenClient, hallClient] = [createClient({ baseUrl }), createClient({ baseUrl })]
  const events: string[] = []
  const kitchen = createWakeWordListener({
    service: speechServiceOf(kitchenClient),
    config: { phrases: ['hey house'] },
    onWaiting: () => events.push('kitchen waits'),
    onWake: () => events.push('kitchen responds'),
    onProblem: (error) => events.push(`kitchen: ${error}`),
  })
  const hall = hallClient.findWakeWords({ phrases: ['Hey, house!'] })
  const readHall = async () => {
    for await (const event of hall) {
      if (event.type === 'waiting') events.push('hall waits')
      if (event.type === 'detection') events.push(event.isFirst ? 'hall is first' : 'hall is late')
    }
  }
  const reading = readHall()
  onTestFinished(async () => {
    await kitchen.close()
    await hall.close()
    await reading
    await Promise.all([kitchenClient.close(), hallClient.close()])
  })
  await vi.waitFor(() => expect(events).toHaveLength(2))
  events.length = 0
  // However long the machine stops, both hear it at the same time.
  const now = vi.spyOn(performance, 'now').mockReturnValue(100_000)
  onTestFinished(() => now.mockRestore())
  const sound = Buffer.from(fakeWakeWord().buffer)
  kitchen.push(sound)
  await vi.waitFor(() => expect(events).toEqual(['kitchen responds']))
  await hall.write(sound)
  await vi.waitFor(() => expect(events.slice(1)).toEqual(['hall is late']))
  now.mockReturnValue(102_000)
  await hall.write(sound)
  await vi.waitFor(() => expect(events.slice(2)).toEqual(['hall is first']))
})
