import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { useEditor } from '@parlando/test-support/editor/editor'
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

const flow = [
  { id: 'newcomer', type: 'tab', label: 'Newcomer' },
  button('article', 'read', [text(article.join(' '))]),
  { ...place, id: 'read', type: 'parlando-speak', output: 'chunks', wires: [['play article']] },
  { ...place, id: 'play article', type: 'parlando-play', outputs: 1, wires: [['article heard']] },
  button('answer', 'chat', [text(article.join(' '))]),
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

const limit = { timeout: 60_000 }

describeInBrowser('what a newcomer hears', () => {
  const editor = useEditor(flow)
  beforeAll(async () => {
    const { page } = await editor.open()
    // A browser plays sound only after a click in the page.
    await page.mouse.click(600, 600)
  })
  const press = (id: string) => editor.nodeRed().inject(id)
  const shown = (id: string) => editor.nodeRed().debugTexts(id)

  it('is each sentence of a long answer, in order, at the speed at which a person hears it', async () => {
    await press('answer')
    await expect.poll(() => shown('sentences').join(' '), limit).toContain(article.at(-1))
    const indices = shown('sentences').map((_, index) => String(index))
    expect(indices.length).toBeGreaterThanOrEqual(article.length)
    await expect.poll(() => shown('answer heard'), { timeout: 150_000 }).toEqual(indices)
    expect(shown('failures')).toEqual([])
  }, 240_000)

  it('is a long text that is made while it plays, to its end', async () => {
    await press('article')
    await expect.poll(() => shown('article heard').length, { timeout: 150_000 }).toBe(1)
    expect(Number(shown('article heard')[0])).toBeGreaterThan(30)
    expect(shown('failures')).toEqual([])
    expect(editor.nodeRed().statuses('play article').join()).not.toMatch(/not played|limit/)
  }, 180_000)
})
