import { describeInBrowser } from '@parlando/test-support/editor/browser'
import { addNode } from '@parlando/test-support/editor/canvas'
import { measureContrast } from '@parlando/test-support/editor/contrast'
import { type EditorPage, useEditor } from '@parlando/test-support/editor/editor'
import { listedChoices, openForm } from '@parlando/test-support/editor/forms'
import { languages, nodeTypes } from '@parlando/test-support/node-red/node-cases'
import { nodeRedPackage } from '@parlando/test-support/node-red/runtime'
import { beforeAll, expect, it } from 'vitest'
import { savedFlow } from './flows/saved-flow.ts'

declare const RED: {
  sidebar: {
    show(tab: string): void
    help: {
      show(type: string, bringToFront: boolean): void
      set(html: string, title: string): void
    }
  }
}

describeInBrowser('the forms', () => {
  const editor = useEditor(savedFlow)
  let english: EditorPage
  beforeAll(async () => {
    english = await editor.open()
  })

  it('name the nodes as the palette does, and the service by words, in German', async () => {
    const { page, close } = await editor.open({ language: 'de' })
    for (const [index, type] of nodeTypes.entries()) {
      const id = await addNode(page, type, 300, 80 + 60 * index)
      const inPalette = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`)
      const name = (await inPalette.textContent())!.replace(/\s+/g, ' ')
      expect(await page.locator(`[id="${id}"] .red-ui-flow-node-label`).textContent()).toBe(name)
    }
    await page.evaluate(() => RED.sidebar.help.show('parlando-service', true))
    expect(await page.locator('.red-ui-help-title').textContent()).toBe('Sprachdienst')
    await close()
  })

  it.each(languages)('have a help that fits into the sidebar in %s', async (language) => {
    const wide = await english.page.evaluate(async (language) => {
      const headers = { accept: 'text/html', 'accept-language': language }
      const nodes = document.createElement('template')
      nodes.innerHTML = await (await fetch('nodes', { headers })).text()
      RED.sidebar.show('help')
      const helps = nodes.content.querySelectorAll<HTMLElement>('[data-help-name^=parlando-]')
      return Array.from(helps).flatMap(({ innerHTML, dataset }) => {
        RED.sidebar.help.set(innerHTML, dataset['helpName']!)
        const help = document.querySelector('.red-ui-help-title + .red-ui-help')!
        const right = help.getBoundingClientRect().right
        return Array.from(help.querySelectorAll('*'))
          .filter((element) => element.getBoundingClientRect().right > right)
          .map(({ textContent }) => `${dataset['helpName']}: ${textContent}`)
      })
    }, language)
    expect(wide).toEqual([])
  })

  const themes = nodeRedPackage === 'node-red' ? ['light', 'dark'] : ['light']
  it.each(themes)('can be read in the %s theme', async (theme) => {
    const themed = await editor.open({ isDark: theme === 'dark' })
    await openForm(themed.page, 'speak')
    await themed.page.selectOption('#node-input-service', 'service')
    await themed.page.focus('#node-input-voice')
    await themed.page.keyboard.press('ArrowDown')
    await listedChoices(themed.page).nth(3).waitFor()
    await themed.page.keyboard.press('ArrowDown')
    const expectReadable = async (selector: string) => {
      for (const { text, ratio } of await measureContrast(themed.page, selector))
        expect(ratio, text).toBeGreaterThan(4.5)
    }
    await expectReadable('.parlando-choices *, .parlando-note, .parlando-link')
    await themed.page.evaluate(() => {
      for (const note of Array.from(document.querySelectorAll('.parlando-note'))) {
        note.classList.add('parlando-problem')
      }
    })
    await expectReadable('.parlando-problem')
    await themed.close()
  })
})
