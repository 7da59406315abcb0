import { needs } from '@parlando/test-support/programs/installed-programs'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { browserSoundPrograms, tap, useBrowserSound } from './browser-sound.ts'

const setVolume = (page: Page, percent: number) => page.locator('#volume').fill(String(percent))

describe('the page of a speaker', needs(...browserSoundPrograms), () => {
  const { nodeRed, pulse, restartNodeRed, openSpeakerPage, test, play, stop, record } =
    useBrowserSound()
  let page: Page
  beforeEach(async () => {
    page = await openSpeakerPage()
  })

  it('plays once somebody has tapped it', async () => {
    const speaker = { kind: 'page', name: 'Kitchen' }
    expect(await test(speaker)).toMatch(/^NO_PLAYER .* tap once/)
    expect(await play({ hertz: [600] })).toMatch(/^NO_PLAYER .* tap once/)
    await expect.poll(() => nodeRed().statuses('play').at(-1)).toMatch(/NO_PLAYER/)
    await tap(page)
    await expect.poll(() => nodeRed().statuses('play').at(-1)).toBe('')
    const { tonesHertz } = await record(async () => {
      expect(await test(speaker)).toMatch(/^Played to the end/)
    })
    expect(tonesHertz).toEqual([700, 500])
    await page.close()
    expect(await test(speaker)).toMatch(
      /^NO_PLAYER Nobody has opened the page .*\/parlando\/speaker\/kitchen/,
    )
  })

  it('plays a sound that grows, in order and without gaps, and then the next one', async () => {
    await tap(page)
    const hertz = [500, 700, 900, 1100, 1300, 1500, 1700]
    const heard = await record(async () => {
      const growing = play({ hertz, isGrowing: true })
      await page.locator('.saying').waitFor()
      expect(await Promise.all([growing, play({ hertz: [400] })])).toEqual(['heard', 'heard'])
    })
    expect(heard.tonesHertz).toEqual([...hertz, 400])
    // The only one is between the two sounds.
    const gaps = heard.gaps.filter(({ ms }) => ms > 60)
    expect(gaps).toHaveLength(1)
    expect(gaps[0]!.at - heard.onsetAt).toBeGreaterThan(hertz.length * 400 - 50)
  })

  it('is silent at once when the sound is stopped', async () => {
    await tap(page)
    let stoppedAt = 0
    const heard = await record(async () => {
      const played = play({ hertz: [600], seconds: 30 })
      played.catch(() => {})
      await page.locator('.saying').waitFor()
      await page.waitForTimeout(600)
      await stop()
      stoppedAt = performance.now()
      await page.locator('body:not(.saying)').waitFor()
      await page.waitForTimeout(300)
    })
    expect(heard.tonesHertz).toEqual([600])
    expect(heard.endAt).toBeLessThan(stoppedAt + 250)
  })

  it('plays music on, softer, under an announcement', async () => {
    await tap(page)
    const recording = await pulse().record()
    const played = play({ hertz: [600], seconds: 30 })
    played.catch(() => {})
    await recording.heard
    await page.waitForTimeout(600)
    const beginsAt = performance.now()
    // A silent announcement, whose level does not add to that of the music.
    const silent = { volume: 0, leadIn: 1000, leadOut: 1000 }
    const speaker = { kind: 'page', name: 'Kitchen', music: 'softer', ...silent }
    expect(await test(speaker)).toMatch(/^Played to the end/)
    const endsAt = performance.now()
    await page.waitForTimeout(2000)
    const heard = await recording.stop()
    await stop()
    const before = heard.loudnessBetween(beginsAt - 400, beginsAt)
    const under = heard.loudnessBetween(endsAt - 1500, endsAt - 1000)
    const after = heard.loudnessBetween(endsAt + 1500, endsAt + 1900)
    expect(Math.abs(under - before + 14)).toBeLessThan(2)
    expect(Math.abs(after - before)).toBeLessThan(1)
  })

  it('reports the error at once when it is closed in the middle', async () => {
    await tap(page)
    const played = play({ hertz: [600], seconds: 30 })
    await page.locator('.saying').waitFor()
    await page.close({ runBeforeUnload: false })
    expect(await played).toMatch(/^SPEAKER_NOT_REACHABLE The browser was closed/)
  })

  it('plays at the volume of the message and of its own slider', async () => {
    await tap(page)
    const levelAt = async (volume: number, own: number) => {
      await setVolume(page, own)
      return (await record(() => play({ hertz: [600], volume }))).loudnessDb
    }
    const full = await levelAt(100, 100)
    // A sine whose amplitude is 10,000 of 32,768.
    expect(Math.abs(full + 13.3)).toBeLessThan(1)
    expect(Math.abs((await levelAt(50, 100)) - full + 6)).toBeLessThan(1)
    expect(Math.abs((await levelAt(100, 25)) - full + 12)).toBeLessThan(1)
  })

  it('plays together with the other browsers that have opened the page', async () => {
    const other = await openSpeakerPage()
    for (const each of [page, other]) await tap(each)
    for (const silent of [page, other]) {
      for (const each of [page, other]) await setVolume(each, each === silent ? 0 : 100)
      expect((await record(() => play({ hertz: [800] }))).tonesHertz).toEqual([800])
    }
    await other.close()
  })

  it('receives events where a proxy passes on no WebSocket', async () => {
    await page.addInitScript(() => {
      Object.assign(window, {
        WebSocket: class {
          constructor() {
            setTimeout(() => (this as unknown as WebSocket).onclose?.(new CloseEvent('close')))
          }
          close() {}
        },
      })
    })
    const events = page.waitForRequest('**/events?*')
    await page.reload()
    await events
    await page.locator('.connected').waitFor()
    await tap(page)
    expect((await record(() => play({ hertz: [900] }))).tonesHertz).toEqual([900])
  })

  it('plays again after a restart of Node-RED', async () => {
    await tap(page)
    await restartNodeRed(() => page.getByText('Not connected to Node-RED').waitFor())
    await page.locator('.connected').waitFor()
    expect((await record(() => play({ hertz: [900] }))).tonesHertz).toEqual([900])
  })
})
