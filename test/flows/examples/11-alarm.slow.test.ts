import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('11 - Repeat an alarm until acknowledged.json', (flow) => {
  nodeNamed(flow, 'alarm')['everySeconds'] = '1'
})

it('repeats the alarm until somebody acknowledges it', async () => {
  const editor = example.openEditor()
  onTestFinished(() => editor.close())
  const recording = await editor.record()
  await example.press('smoke in the kitchen')
  const offers = () => editor.commands.filter(({ type }) => type === 'offer').length
  await expect.poll(offers, { timeout: 30_000 }).toBe(3)
  await example.press('I have heard it')
  const [announcement] = await example.debugTexts('acknowledged')
  const { acknowledged, times, priority } = JSON.parse(announcement!)
  expect({ acknowledged, priority }).toEqual({ acknowledged: true, priority: 'alarm' })
  expect(times).toBeGreaterThanOrEqual(2)
  await expectHeard(await recording.stop(), 'Smoke in the kitchen! Smoke in the kitchen!')
})
