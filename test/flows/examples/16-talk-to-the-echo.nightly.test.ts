import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { speak } from '@parlando/test-support/audio/speak'
import { useExample } from '@parlando/test-support/node-red/example'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { describe, expect, it, onTestFinished } from 'vitest'

const example = useExample('16 - Talk to the echo.json')

it('offers the page of the microphone, which also plays the answer', async () => {
  const page = await example.fetch('/parlando/microphone/voice-terminal')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const microphone = await openMicrophone(example.nodeRed.baseUrl, 'voice terminal')
  onTestFinished(() => microphone.close())
  const settings = { mode: 'tap', speaker: 'terminal' }
  expect(microphone.messages).toEqual([{ type: 'ready', settings }])
})

describe('the page of the microphone', needsRecogniser(), () => {
  it('plays what was understood', async () => {
    const { baseUrl } = example.nodeRed
    const microphone = await openMicrophone(baseUrl, 'voice terminal')
    onTestFinished(() => microphone.close())
    const page = await openPage(baseUrl, 'terminal')
    onTestFinished(() => page.close())
    const recording = await page.record()
    await microphone.record(await speak('Good morning. How is the weather today?'), {
      isFast: true,
    })
    const [understood] = await example.debugTexts('understood')
    expect(understood).toMatch(/weather/)
    const [said] = await example.debugTexts('said')
    expect(JSON.parse(said!)).toMatchObject({ speakers: [{ name: 'Terminal', status: 'said' }] })
    // The start of the first sentence, its rest, and the second sentence.
    await example.debugTexts('said', 3)
    await expectHeard(
      await recording.stop(),
      `This is the echo of this device, not a language model. You said: ${understood}`,
    )
  })
})
