import { findClippedTexts } from '@parlando/test-support/editor/clipping'
import {
  addNode,
  closeForm,
  closeService,
  describeInBrowser,
  openForm,
  openNewSpeaker,
  openService,
  useEditor,
} from '@parlando/test-support/editor/editor'
import { savedFlow } from '@parlando/test-support/editor/saved-flow'
import { nodeTypes } from '@parlando/test-support/node-red/node-cases'
import { expect, it } from 'vitest'

/** The German and French texts are the longest; the Japanese and Chinese ones are much shorter. */
const languages =
  process.env['PARLANDO_TESTS'] === 'all' ? ['en-US', 'de', 'es-ES', 'fr'] : ['de', 'fr']

describeInBrowser('the forms', () => {
  const editor = useEditor(savedFlow)

  it.each(languages)(
    'show all of every label, unit, option and placeholder in %s',
    async (language) => {
      const { page, close } = await editor.open({ language })
      const clipped: Record<string, string[]> = {}
      for (const [index, type] of nodeTypes.entries()) {
        await openForm(page, await addNode(page, type, 300, 100 + 60 * index))
        clipped[type] = await findClippedTexts(page)
        await closeForm(page, 'cancel')
      }
      await openForm(page, 'speak')
      await openService(page)
      clipped['parlando-service'] = await findClippedTexts(page)
      await closeService(page, 'cancel')
      await closeForm(page, 'cancel')
      await openForm(page, await addNode(page, 'parlando-play', 600, 100))
      await openNewSpeaker(page)
      clipped['parlando-speaker'] = await findClippedTexts(page)
      for (const [type, texts] of Object.entries(clipped)) expect(texts, type).toEqual([])
      await close()
    },
  )
})
