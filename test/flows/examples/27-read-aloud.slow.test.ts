import { useExample } from '@parlando/test-support/node-red/example'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('27 - An article read aloud.json')

it('reads the article on the page, pauses, goes back and on, and stops', async () => {
  const tablet = await openPage(example.nodeRed.baseUrl, 'bedroom')
  onTestFinished(() => tablet.close())
  const offered = () =>
    tablet.commands.flatMap((command) => (command.type === 'offer' ? command.text : []))
  await example.press('read the article')
  await expect.poll(offered, { timeout: 30_000 }).toEqual(['Why an echo takes its time.'])
  await example.press('one sentence on')
  await expect.poll(() => offered().at(-1), { timeout: 30_000 }).toMatch(/^Sound needs air/)
  await example.press('pause')
  await expect
    .poll(() => example.statuses('read in the bedroom').at(-1), { timeout: 30_000 })
    .toMatch(/^paused: sentence \d+ of \d+, \d+ %$/)
  await example.press('go on')
  await example.press('one sentence back')
  await example.press('stop')
  const [reading] = await example.debugTexts('not read')
  expect(JSON.parse(reading!)).toMatchObject({ status: 'not read', reason: 'stopped' })
})
