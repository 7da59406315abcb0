import { readdir } from 'node:fs/promises'
import { expectSpoken } from '@parlando/test-support/audio/expect-spoken'
import { type FlowNode, nodeNamed, useExample } from '@parlando/test-support/node-red/example'
import { describe, expect, it, vi } from 'vitest'

const example = useExample('02 - Chunks to a file, and a page that speaks.json', (flow) => {
  const speak = nodeNamed(flow, 'speak in one message')
  flow.push(...weatherPages({ ...speak, id: 'weather-speak', text: 'payload' }))
})

/** `/weather` serves a text; `/weather-aloud` fetches it with *http request* and speaks it. */
function weatherPages(speak: FlowNode): FlowNode[] {
  const { z } = speak
  const page = { type: 'http in', method: 'get', z }
  const url = 'http://{{{req.headers.host}}}/weather'
  return [
    { ...page, id: 'weather-in', url: '/weather', wires: [['weather']] },
    {
      id: 'weather',
      type: 'template',
      z,
      field: 'payload',
      fieldType: 'msg',
      syntax: 'plain',
      template: 'It is going to rain.',
      output: 'str',
      wires: [['weather-out']],
    },
    { id: 'weather-out', type: 'http response', z, headers: { 'content-type': 'text/plain' } },
    { ...page, id: 'aloud-in', url: '/weather-aloud', wires: [['weather-ask']] },
    {
      id: 'weather-ask',
      type: 'http request',
      z,
      method: 'GET',
      ret: 'txt',
      url,
      wires: [[speak.id]],
    },
    speak,
  ]
}

it('appends each chunk to a file that finally contains the whole text', async () => {
  await example.press('speak to a file')
  const [facts] = await example.debugTexts('facts about the audio')
  const { bytes, encoding, durationSeconds } = JSON.parse(facts!)
  expect(encoding).toBe('MP3')
  const [name] = (await readdir(example.nodeRed.folder)).filter((one) => one.startsWith('chunks-'))
  expect(name).toMatch(/^chunks-\d\d-\d\d-\d\d\.mp3$/)
  const file = await vi.waitFor(async () => {
    const written = await example.read(name!)
    expect(written.length).toBe(bytes)
    return written
  })
  const { payload } = nodeNamed(example.flow, 'speak to a file')
  const { seconds } = await expectSpoken(file, payload)
  expect(seconds).toBeCloseTo(durationSeconds, 0)
})

describe('the page', () => {
  it('has a player for the audio address', async () => {
    const page = await example.fetch('/speaking-page')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const [, source] = (await page.text()).match(/<audio id="player".* src="([^"]+)"/) ?? []
    const audio = await example.fetch(
      new URL(source!, page.url).pathname + new URL(source!, page.url).search,
    )
    expect(audio.status).toBe(200)
    expect(audio.headers.get('content-type')).toBe('audio/mpeg')
    await expectSpoken(new Uint8Array(await audio.arrayBuffer()), 'The page can speak.')
  })

  it('sets the audio content type even if the text has the headers of another page', async () => {
    const audio = await example.fetch('/weather-aloud')
    expect(audio.headers.get('content-type')).toBe('audio/mpeg')
    await expectSpoken(new Uint8Array(await audio.arrayBuffer()), 'It is going to rain.')
  })

  it('speaks for several listeners in parallel, each with its own text', async () => {
    const texts = ['The first one asks for tea.', 'The second one would rather have coffee.']
    const responses = texts.map((text) => example.fetch(`/say?text=${encodeURIComponent(text)}`))
    for (const [index, response] of responses.entries()) {
      const audio = new Uint8Array(await (await response).arrayBuffer())
      await expectSpoken(audio, texts[index]!)
    }
  })

  it.each([
    ['/say', /there is no text to speak$/],
    [`/say?text=${encodeURIComponent('今日は')}`, /cannot say/],
  ])('responds with a sentence about the error: %s', async (path, sentence) => {
    const response = await example.fetch(path)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await response.text()).toMatch(sentence)
  })
})
