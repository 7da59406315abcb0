import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode } from '@parlando/test-support/editor/canvas'
import { findClippedTexts } from '@parlando/test-support/editor/clipping'
import { useEditor } from '@parlando/test-support/editor/editor'
import {
  closeForm,
  closeService,
  openForm,
  openNewSpeaker,
  openService,
} from '@parlando/test-support/editor/forms'
import { languages, nodeTypes } from '@parlando/test-support/node-red/node-cases'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { savedFlow } from './flows/saved-flow.ts'

/** The German texts are among the longest. */
const checked = process.env['PARLANDO_TESTS'] === 'all' ? languages : ['de']

/** How far the open form must be scrolled to show the text, the voice and the output. */
function hiddenPixels(page: Page): Promise<number> {
  const tray = page.locator('.red-ui-tray').last().locator('.red-ui-tray-body')
  return tray.evaluate((body) => {
    const form = body.querySelector('#dialog-form')!.parentElement!
    return form.scrollHeight - form.clientHeight
  })
}

/** The fields below which the service says something. */
const described: Readonly<Record<string, readonly string[]>> = {
  'parlando-announce': ['voice'],
  'parlando-speak': ['voice'],
  'parlando-converse': ['voice', 'model'],
  'parlando-chat': ['model'],
}

const problems = (page: Page) => page.locator('.input-error:visible, .parlando-problem:visible')

describeInBrowser('the forms', () => {
  const editor = useEditor(savedFlow)

  it.each(checked)(
    'show all of every text, and need no scrolling on a screen of 720 pixels, in %s',
    async (language) => {
      const { page, close } = await editor.open({ language, height: 720 })
      const clipped: Record<string, string[]> = {}
      // Before a flow is deployed, nobody has changed anything.
      for (const [index, type] of nodeTypes.entries()) {
        // In two columns, since a drop below the window adds nothing.
        const [x, y] = [300 + 200 * (index % 2), 80 + 60 * Math.floor(index / 2)]
        await openForm(page, await addNode(page, type, x, y))
        for (const field of described[type] ?? []) {
          await page.locator(`#node-input-${field}-note:not(:empty)`).waitFor()
        }
        expect(await hiddenPixels(page), type).toBeLessThanOrEqual(0)
        expect(await problems(page).count(), type).toBe(0)
        clipped[type] = await findClippedTexts(page)
        await closeForm(page, 'cancel')
      }
      await openForm(page, 'speak')
      await openService(page)
      clipped['parlando-service'] = await findClippedTexts(page)
      await closeService(page, 'cancel')
      await closeForm(page, 'cancel')
      await openForm(page, await addNode(page, 'parlando-play', 600, 80))
      await openNewSpeaker(page)
      clipped['parlando-speaker'] = await findClippedTexts(page)
      expect(Object.entries(clipped).filter(([, texts]) => texts.length > 0)).toEqual([])
      await close()
    },
  )
})
