import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { speak } from '@parlando/test-support/audio/speak'
import { useExample } from '@parlando/test-support/node-red/example'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('18 - Intercom.json')
const text = 'The parcel is on the table, and I will be back in the evening.'

it('says what to do when no page plays it', async () => {
  const microphone = await openMicrophone(example.nodeRed.baseUrl, 'front door')
  onTestFinished(() => microphone.close())
  await microphone.record(await speak(text), { isFast: true })
  const [problem] = await example.debugTexts('what to do')
  expect(problem).toMatch(/open http:\/\/.+\/parlando\/speaker\/kitchen/)
})

it('plays in the kitchen what was said at the door, after the name of the place', async () => {
  const { baseUrl } = example.nodeRed
  const microphone = await openMicrophone(baseUrl, 'front door')
  onTestFinished(() => microphone.close())
  const kitchen = await openPage(baseUrl, 'kitchen')
  onTestFinished(() => kitchen.close())
  const recording = await kitchen.record()
  await microphone.record(await speak(text), { isFast: true })
  const [heard] = await example.debugTexts('heard')
  expect(heard).toMatch(/^front door: [\d.]+ s$/)
  await expectHeard(await recording.stop(), `From the front door: ${text}`)
})
