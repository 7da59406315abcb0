import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { useExample } from '@parlando/test-support/node-red/example'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('06 - Home announcement.json')

it('lets an urgent announcement interrupt another one, which is said again afterwards', async () => {
  const editor = example.openEditor()
  onTestFinished(() => editor.close())
  await example.press('front door opens')
  await expect
    .poll(() => example.statuses('announce').at(-1), { timeout: 30_000 })
    .toMatch(/^playing \(/)
  await example.press('water in the cellar')
  const recording = await editor.record()
  await example.debugTexts('said', 1)
  const endAt = performance.now()
  const said = await example.debugTexts('said', 2)
  expect(said.map((text) => JSON.parse(text).topic)).toEqual(['cellar', 'front door'])
  await expectHeard(await recording.stop(endAt), 'There is water in the cellar.')
})

it('stops what is being said and what waits, and says why it was not heard', async () => {
  const editor = example.openEditor()
  onTestFinished(() => editor.close())
  await example.press('the dishwasher is done')
  await expect
    .poll(() => example.statuses('announce').at(-1), { timeout: 30_000 })
    .toMatch(/^playing \(/)
  await example.press('stop')
  const [announcement] = await example.debugTexts('not said')
  expect(JSON.parse(announcement!)).toMatchObject({
    priority: 'info',
    status: 'not said',
    reason: 'stopped',
  })
})
