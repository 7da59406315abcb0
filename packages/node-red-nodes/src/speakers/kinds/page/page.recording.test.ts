import { setTimeout as delay } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { openPage } from '@parlando/test-support/speakers/simulated-browser'
import { useSpeakerPage } from '@parlando/test-support/speakers/use-speaker-page'
import { expect, it } from 'vitest'
import { createSound } from '../../../sounds/sound.ts'

const format = { audioEncoding: 'PCM', sampleRateHertz: 24_000 } as const
const page = useSpeakerPage()

it('a page plays a growing sound in 50 browsers at once, without gaps', async () => {
  const browsers = []
  for (let index = 0; index < 50; index++) {
    browsers.push(await openPage(page.http().baseUrl, 'living-room'))
  }
  const recordings = await Promise.all(browsers.map(({ record }) => record()))
  const sound = createSound(format)
  const append = (hertz: number) => sound.append(tone({ ...format, hertz, seconds: 0.3 }))
  // The first two are made in advance, as a real browser needs when the network is late for a moment.
  append(500)
  append(700)
  const played = page.driver().play(sound, {
    signal: AbortSignal.timeout(20_000),
    volume: 100,
    onFirstSound() {},
    handOut() {},
  })
  for (const hertz of [900, 1100, 1300]) {
    await delay(200)
    append(hertz)
  }
  sound.complete()
  await played
  for (const recording of recordings) {
    const { tonesHertz, gaps } = await recording.stop()
    expect(tonesHertz).toEqual([500, 700, 900, 1100, 1300])
    expect(gaps.filter(({ ms }) => ms > 60)).toEqual([])
  }
  for (const browser of browsers) browser.close()
})
