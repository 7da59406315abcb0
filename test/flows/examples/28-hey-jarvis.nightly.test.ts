import { setTimeout as delay } from 'node:timers/promises'
import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { useExample } from '@parlando/test-support/node-red/example'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { expect, it, onTestFinished, vi } from 'vitest'

const example = useExample('28 - Hey Jarvis.json')

it('answers what is said after the wake word, and nothing before', needsRecogniser(), async () => {
  const { baseUrl } = example.nodeRed
  const page = await openPage(baseUrl, 'hall')
  onTestFinished(() => page.close())
  const recording = await page.record()
  const microphone = await openMicrophone(baseUrl, 'hall')
  onTestFinished(() => microphone.close())
  const receive = (type: string) =>
    vi.waitFor(
      () => expect(microphone.messages).toContainEqual(expect.objectContaining({ type })),
      { timeout: 60_000, interval: 20 },
    )
  /** Twice as fast as a person: what is sent faster is dropped. */
  const say = async (text: string) => {
    const pcm = Buffer.from((await spokenSound(text)).buffer)
    for (let at = 0; at < pcm.length; at += 640) {
      microphone.socket.send(pcm.subarray(at, at + 640))
      await delay(10)
    }
  }
  microphone.send({ type: 'wait' })
  await receive('waiting')
  await say('Turn off the light.')
  await say('Hey Jarvis')
  await receive('awake')
  await say('Turn on the light.')
  // The page ends a recording on silence, and waits for the next word.
  microphone.send({ type: 'wait' })
  expect(await example.debugTexts('answered')).toEqual(['The light is on.'])
  expect(example.nodeRed.debugTexts('parlando-28-light')).toEqual(['on'])
  await expectHeard(await recording.stop(), 'The light is on.')
})
