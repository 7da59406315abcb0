import { useExample } from '@parlando/test-support/node-red/example'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('27 - An article read aloud.json')
/** Of its first sentences. */
const starts = [
  'Why an echo takes its time.',
  'Sound needs air',
  'In air, it covers',
  'That is fast',
]

it('reads the article on the page, pauses, goes back and on, and stops', async () => {
  const tablet = await openPage(example.nodeRed.baseUrl, 'bedroom')
  onTestFinished(() => tablet.close())
  const offered = () =>
    tablet.commands.flatMap((command) => (command.type === 'offer' ? command.text : []))
  const paused = () => {
    const status = example.statuses('read in the bedroom').at(-1) ?? ''
    return Number(/^paused: sentence (\d+) of \d+, \d+ %$/.exec(status)?.[1] ?? 0)
  }
  await example.press('read the article')
  await expect.poll(offered, { timeout: 30_000 }).not.toEqual([])
  expect(offered()[0]).toBe(starts[0])
  await example.press('pause')
  await expect.poll(paused, { timeout: 30_000 }).toBeGreaterThan(0)
  const sentence = paused()
  const offers = offered().length
  await example.press('one sentence on')
  await expect.poll(paused, { timeout: 30_000 }).toBe(sentence + 1)
  await example.press('go on')
  await expect.poll(() => offered().length, { timeout: 30_000 }).toBeGreaterThan(offers)
  expect(offered()[offers]).toContain(starts[sentence] ?? '')
  await example.press('one sentence back')
  await example.press('stop')
  const [reading] = await example.debugTexts('not read')
  expect(JSON.parse(reading!)).toMatchObject({ status: 'not read', reason: 'stopped' })
})
