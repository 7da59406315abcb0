import { createClient } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'
import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import { readExample } from '@parlando/test-support/node-red/example'
import { beforeAll, expect, it } from 'vitest'

const place = { z: 'newcomer', x: 200, y: 200 }
const button = (id: string, target: string, props: object[]) => ({
  ...place,
  id,
  type: 'inject',
  props,
  wires: [[target]],
})
const debug = (id: string) => ({
  ...place,
  id,
  type: 'debug',
  active: true,
  tosidebar: true,
  complete: 'true',
  targetType: 'full',
  wires: [],
})
const announce = {
  ...place,
  type: 'parlando-announce',
  outputs: 2,
  wires: [['said'], ['not said']],
}
const text = (payload: string) => ({ p: 'payload', v: payload, vt: 'str' })

const flow = [
  ...readExample('04 - Clone a voice.json'),
  { id: 'newcomer', type: 'tab', label: 'Newcomer' },
  button('bracket', 'once', [text('[ALERT] Water in the cellar')]),
  { ...announce, id: 'once' },
  button('water', 'alarm', [text('Water!'), { p: 'topic', v: 'water', vt: 'str' }]),
  // As a change node behind mqtt in sends it.
  button('wall button', 'alarm', [
    { p: 'acknowledge', v: 'true', vt: 'bool' },
    { p: 'topic', v: 'home/button', vt: 'str' },
  ]),
  { ...announce, id: 'alarm', priority: 'alarm', untilAcknowledged: true, everySeconds: '1' },
  debug('said'),
  debug('not said'),
]

/** Ten seconds of speech in a file. */
async function makeRecording(): Promise<Buffer> {
  const service = await startLocalService({ warmUp: false })
  const client = createClient({ baseUrl: service.baseUrl })
  const { audio } = await client.synthesize({
    text: 'The north wind and the sun were arguing which of them was stronger, when a traveller arrived in a warm coat. They agreed that the one who first made him take it off was the stronger.',
    voiceId: 'Ralph',
    modelId: 'svc-tts-2',
    audioConfig: { audioEncoding: 'WAV', sampleRateHertz: 16_000 },
  })
  await client.close()
  await service.close()
  return Buffer.from(audio)
}

const limit = { timeout: 60_000 }

describeInBrowser('what a newcomer tries', () => {
  const editor = useEditor(flow)
  let opened: EditorPage
  beforeAll(async () => {
    opened = await editor.open()
    // A browser plays sound only after a click in the page.
    await opened.page.mouse.click(600, 600)
  })
  const press = (id: string) => editor.nodeRed().inject(id)
  const shown = (id: string) => editor.nodeRed().debugTexts(id)
  const status = (id: string) => editor.nodeRed().statuses(id).at(-1)

  it('the page that clones a voice plays it in this browser', async () => {
    const page = await opened.page.context().newPage()
    await page.goto(`${editor.nodeRed().baseUrl}/clone-a-voice`)
    const file = { name: 'me.wav', mimeType: 'audio/wav', buffer: await makeRecording() }
    await page.setInputFiles('input[type=file]', file)
    await page.check('input[type=checkbox]')
    await page.getByRole('button', { name: 'Clone it and speak' }).click()
    await expect
      .poll(() => page.evaluate(() => document.querySelector('audio')!.currentTime), limit)
      .toBeGreaterThan(0.3)
    expect(await page.textContent('[role=status]')).toBe('')
    await page.close()
  })

  it('says a text that begins with a word in brackets', async () => {
    await press('bracket')
    await expect.poll(() => shown('said').length, limit).toBe(1)
    expect(shown('not said')).toEqual([])
  })

  it('lets a button of another topic acknowledge an alarm, and shows when there is none', async () => {
    await press('water')
    await expect.poll(() => status('alarm'), limit).toMatch(/\S/)
    await press('wall button')
    await expect.poll(() => shown('said').length, limit).toBe(2)
    expect(shown('said')[1]).toMatch(/acknowledged/)
    await press('wall button')
    await expect.poll(() => status('alarm'), limit).toContain('nothing-to-acknowledge')
  })
})
