import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { speak } from '@parlando/test-support/audio/speak'
import { useExample } from '@parlando/test-support/node-red/example'
import { openMicrophone } from '@parlando/test-support/node-red/simulated-microphone'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { describe, expect, it, onTestFinished } from 'vitest'

const example = useExample('17 - A voice terminal with tools.json')

/** Waits for what was said. @returns the texts and who said them. */
async function transcript(count: number) {
  const messages = await example.debugTexts('who said what', count)
  return messages.map((message) => {
    const [, role, text] = /^(\w+): (.*)$/.exec(message)!
    return { role, text: text! }
  })
}

it('calls the tools, and speaks their results on the page', needsRecogniser(), async () => {
  const page = await openPage(example.nodeRed.baseUrl, 'phone')
  onTestFinished(() => page.close())
  const recording = await page.record()
  await example.press('light on')
  expect(await example.debugTexts('result')).toEqual(['The light is on'])
  await transcript(1)
  await example.press('what time is it')
  const [, time] = await example.debugTexts('result', 2)
  expect(time).toMatch(/^\d{1,2}:\d\d$/)
  const said = await transcript(2)
  expect(said.map(({ role }) => role)).toEqual(['assistant', 'assistant'])
  expect(said.at(-1)!.text).toContain(time)
  expect(example.statuses('talk')).toContain('speaking')
  await expectHeard(await recording.stop(), said.map(({ text }) => text).join(' '))
})

describe('the page of the microphone', needsRecogniser(), () => {
  it('responds to what it understood', async () => {
    const { baseUrl } = example.nodeRed
    const before = example.nodeRed.debugTexts('parlando-17-said').length
    const microphone = await openMicrophone(baseUrl, 'phone')
    onTestFinished(() => microphone.close())
    await microphone.record(await speak('Good morning. How is the weather today?'), {
      isFast: true,
    })
    const [user, assistant] = (await transcript(before + 2)).slice(before)
    expect(user).toMatchObject({ role: 'user', text: expect.stringMatching(/weather/) })
    expect(assistant).toMatchObject({ role: 'assistant' })
    expect(assistant!.text).toContain(user!.text)
  })
})
