import { needs } from '@parlando/test-support/programs/installed-programs'
import { describe, expect, it, vi } from 'vitest'
import { browserSoundPrograms, useBrowserSound } from './browser-sound.ts'

describe('the speaker of the editor', needs(...browserSoundPrograms), () => {
  const { nodeRed, browser, test, play, record } = useBrowserSound()

  const openEditor = async () => {
    const page = await browser().newPage()
    await page.goto(nodeRed().baseUrl)
    await page.locator('.red-ui-palette-node[data-palette-type="parlando-speak"]').waitFor()
    await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' })
    return page
  }

  it('plays in the tab that is visible, once somebody has clicked in it', async () => {
    expect(await test({ kind: 'editor' })).toMatch(/^NO_PLAYER No editor is open/)
    const tab = await openEditor()
    expect(await test({ kind: 'editor' })).toMatch(
      /^NO_PLAYER The browser does not allow .* click once/,
    )
    await tab.mouse.click(600, 400)
    // The browser takes a moment to allow sound.
    await vi.waitFor(async () => expect(await test({ kind: 'editor' })).toMatch(/^Played/), 20_000)
    const { tonesHertz } = await record(async () => {
      expect(await test({ kind: 'editor' })).toMatch(
        /^Played to the end in \d\.\d s, as the speaker reports/,
      )
    })
    expect(tonesHertz).toEqual([700, 500])

    // Only the visible one of two tabs plays.
    const other = await openEditor()
    await other.mouse.click(600, 400)
    const played: string[] = []
    for (const [name, page] of Object.entries({ tab, other })) {
      page.on('request', (request) => {
        if (request.url().includes('/editor-speaker/audio')) played.push(name)
      })
    }
    await tab.evaluate(() =>
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }),
    )
    const playOne = async () => {
      played.length = 0
      await play({ hertz: [600], speakers: 'editor' })
      return played
    }
    // The browser takes a moment to allow sound in this tab, too.
    await vi.waitFor(async () => expect(await playOne()).toEqual(['other']), 20_000)
    await other.close()
    await vi.waitFor(async () => expect(await playOne()).toEqual(['tab']), 20_000)
  })
})
