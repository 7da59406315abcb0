import { expectHeard } from '@parlando/test-support/audio/expect-spoken'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { expect, it, onTestFinished } from 'vitest'

const example = useExample('10 - A tablet as a speaker.json')

it('says which page to open when no tablet shows it', async () => {
  await example.press('dinner is ready')
  const [problem] = await example.debugTexts('what to do')
  expect(problem).toMatch(/open http:\/\/.+\/parlando\/speaker\/tablet on the tablet/)
})

it('says its text on the page that the tablet shows', async () => {
  const page = await example.fetch('/parlando/speaker/tablet')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const tablet = await openPage(example.nodeRed.baseUrl, 'tablet')
  onTestFinished(() => tablet.close())
  const recording = await tablet.record()
  await example.press('dinner is ready')
  const [announcement] = await example.debugTexts('said')
  expect(JSON.parse(announcement!)).toMatchObject({ speakers: [{ name: 'Tablet' }] })
  const { payload } = nodeNamed(example.flow, 'dinner is ready')
  await expectHeard(await recording.stop(), payload)
  expect(tablet.commands).toContainEqual(expect.objectContaining({ type: 'offer', text: payload }))
})
