import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { expect, it } from 'vitest'

const example = useExample('26 - An article with captions.json')

it('serves the sound of a text and its captions, which have all of its words', async () => {
  await example.press('the article')
  const [captions] = await example.debugTexts('the captions')
  const page = await example.fetch('/captioned-article')
  const addresses = [...(await page.text()).matchAll(/src="([^"]+)"/g)].map(([, path]) => path)
  const [speech, track] = await Promise.all(
    addresses.map((path) => example.fetch(new URL(path!, page.url).pathname)),
  )
  expect(speech!.headers.get('content-type')).toBe('audio/mpeg')
  expect(track!.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(await track!.text()).toBe(captions)
  const { payload } = nodeNamed(example.flow, 'the article')
  await expectSpoken(new Uint8Array(await speech!.arrayBuffer()), payload)
  const cues = captions!.trim().split('\n\n').slice(1)
  const words = cues.flatMap((cue) => cue.split('\n').slice(1)).join(' ')
  expect(words).toBe(payload)
  expect(cues[0]).toMatch(/^00:00:00\.\d{3} --> 00:00:0\d\.\d{3}\n/)
})
