import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('01 - First words.json')

it('says its text in the open editor, and reports where and how long', async () => {
  const editor = example.openEditor()
  onTestFinished(() => editor.close())
  const recording = await editor.record()
  await example.press('say it')
  const [announcement] = await example.debugTexts('said')
  const { status, durationSeconds, speakers } = JSON.parse(announcement!)
  expect({ status, speakers }).toMatchObject({
    status: 'said',
    speakers: [{ name: 'the editor', confirmedBy: 'player' }],
  })
  const heard = await recording.stop()
  await expectHeard(heard, nodeNamed(example.flow, 'say it')['payload'])
  // A machine that stops for a moment makes a gap.
  const silentMs = heard.gaps.reduce((sum, { ms }) => sum + ms, 0)
  expect((heard.durationMs - silentMs) / 1000).toBeLessThan(durationSeconds)
  await expect
    .poll(() => example.statuses('announce').at(-1))
    .toMatch(/^played at \d\d:\d\d \(the editor\)$/)
  expect(await example.debugTexts('not said', 0)).toEqual([])
  expect(example.nodeRed.log()).not.toMatch(/\[(error|warn)\] \[/)
})
