import { setTimeout as delay } from 'node:timers/promises'
import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { spokenSound } from '@parlando/test-support/local-service/spoken-sound'
import { useExample } from '@parlando/test-support/node-red/example'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { expect, it, onTestFinished, vi } from 'vitest'

const example = useExample('28 - Hey Jarvis.json')

/** Opens the page, which waits for the wake word. */
async function openHall() {
  const { baseUrl } = example.nodeRed
  const page = await openPage(baseUrl, 'hall')
  onTestFinished(() => page.close())
  const recording = await page.record()
  const microphone = await openMicrophone(baseUrl, 'hall')
  onTestFinished(() => microphone.close())
  const receive = (type: string, count = 1) =>
    vi.waitFor(
      () => expect(microphone.messages.filter((one) => one.type === type)).toHaveLength(count),
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
  // The page ends a recording on silence, and waits for the next word.
  const wait = () => microphone.send({ type: 'wait' })
  wait()
  await receive('waiting')
  return { recording, receive, say, wait }
}

it('answers what is said after the wake word, and nothing before', needsRecogniser(), async () => {
  const { recording, receive, say, wait } = await openHall()
  await say('Turn off the light.')
  await say('Hey Jarvis')
  await receive('awake')
  await say('Turn on the light.')
  wait()
  expect(await example.debugTexts('answered')).toEqual(['The light is on.'])
  expect(example.nodeRed.debugTexts('parlando-28-light')).toEqual(['on'])
  await expectHeard(await recording.stop(), 'The light is on.')
})

it('asks once more, and listens without the word', needsRecogniser(), async () => {
  const { recording, receive, say, wait } = await openHall()
  await say('Hey Jarvis')
  await receive('awake')
  await say('My uncle has seven green umbrellas.')
  wait()
  await receive('awake', 2)
  await say('What are we having for dinner tonight?')
  wait()
  const last = 'I did not understand that. Please say Hey Jarvis again.'
  await vi.waitFor(() => expect(example.nodeRed.debugTexts('parlando-28-said')).toContain(last), {
    timeout: 60_000,
  })
  await receive('awake', 2)
  await expectHeard(await recording.stop(), 'Please say it again')
})
