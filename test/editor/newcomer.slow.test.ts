import { createClient } from '@parlando/core'
import { startLocalService } from '@parlando/local-service'
import { describeInBrowser, type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import { readExample } from '@parlando/test-support/node-red/example'
import { isThoroughRun } from '@parlando/test-support/property-runs'
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

/** Half a minute of speech. */
const article = [
  'Fill a pot with water.|Put it on the stove.|Add a little salt.|Wait until it boils.',
  'Take the eggs out.|They should be cool.|Prick each of them.|Lower them gently.',
  'Start a timer now.|Four minutes are enough.|Six make them firm.|Ten make them hard.',
  'Stir once or twice.|Do not leave the room.|Turn the heat down.|Listen for the bell.',
  'Pour the water away.|Mind the hot steam.|Use cold water next.|Wait half a minute.',
  'Dry each egg well.|Set the table now.|Bring out the bread.|Cut it into strips.',
  'Open the butter dish.|Put out some salt.|Call the others in.|Crack the first egg.',
  'Take off the top.|Dip the bread in.|Enjoy your breakfast.|Leave none for me.',
].flatMap((line) => line.split('|'))

/** 32 sentences, and half of them for a merge: they are heard as fast as a person hears them. The built-in model repeats them. */
const answer = isThoroughRun ? article : article.slice(0, 16)

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
  button('article', 'read', [text(article.join(' '))]),
  { ...place, id: 'read', type: 'parlando-speak', output: 'chunks', wires: [['play article']] },
  { ...place, id: 'play article', type: 'parlando-play', outputs: 1, wires: [['article heard']] },
  button('answer', 'chat', [text(answer.join(' '))]),
  {
    ...place,
    id: 'chat',
    type: 'parlando-chat',
    output: 'sentences',
    wires: [['speak answer', 'sentences']],
  },
  { ...debug('sentences'), complete: 'payload', targetType: 'msg' },
  {
    ...place,
    id: 'speak answer',
    type: 'parlando-speak',
    speakingRate: '1.5',
    wires: [['play answer']],
  },
  { ...place, id: 'play answer', type: 'parlando-play', outputs: 1, wires: [['answer heard']] },
  { ...debug('answer heard'), complete: 'parts.index', targetType: 'msg' },
  { ...debug('article heard'), complete: 'playback.durationSeconds', targetType: 'msg' },
  { ...place, id: 'failed', type: 'catch', scope: null, wires: [['failures']] },
  debug('failures'),
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

  it('hears each sentence of a long answer, in order', async () => {
    await press('answer')
    await expect.poll(() => shown('sentences').join(' '), limit).toContain(answer.at(-1))
    const indices = shown('sentences').map((_, index) => String(index))
    expect(indices.length).toBeGreaterThanOrEqual(answer.length)
    await expect.poll(() => shown('answer heard'), { timeout: 150_000 }).toEqual(indices)
    expect(shown('failures')).toEqual([])
  }, 240_000)

  it('hears a long text that is made while it plays to its end', async () => {
    await press('article')
    await expect.poll(() => shown('article heard').length, { timeout: 150_000 }).toBe(1)
    expect(Number(shown('article heard')[0])).toBeGreaterThan(30)
    expect(shown('failures')).toEqual([])
    expect(editor.nodeRed().statuses('play article').join()).not.toMatch(/not played|limit/)
  }, 180_000)
})
